// Sends two messages, receives and acknowledges both, and says goodbye. HOST PORT [CA FILE]: with a file, over TLS.
'use strict';
const fs = require('fs');
const stompit = require('stompit');

const [host, port, ca] = process.argv.slice(2);
const options = { host, port: Number(port), connectHeaders: { host: '/', 'heart-beat': '1000,1000' } };
if (ca) {
  options.ssl = true;
  options.ca = fs.readFileSync(ca);
}
const bodies = ['grüße 😀', 'x'.repeat(200000)];

function fail(where, error) {
  console.log(where + ': ' + error.message);
  process.exit(1);
}

stompit.connect(options, (error, client) => {
  if (error) fail('connect', error);
  client.on('error', (problem) => fail('client', problem));
  let sent = 0;
  for (const body of bodies) {
    const frame = client.send(
      { destination: '/queue/stompit', 'content-type': 'text/plain' },
      { onReceipt: () => { if (++sent === bodies.length) receive(client); } });
    frame.end(body);
  }
});

function receive(client) {
  const waiting = [...bodies];
  client.subscribe({ destination: '/queue/stompit', ack: 'client-individual' }, (error, message) => {
    if (error) fail('subscribe', error);
    message.readString('utf-8', (problem, body) => {
      if (problem) fail('message', problem);
      if (body !== waiting.shift()) fail('message', new Error('another body: ' + body.slice(0, 100)));
      client.ack(message);
      if (waiting.length === 0) {
        client.disconnect((end) => {
          if (end) fail('disconnect', end);
          console.log('received ' + bodies.length);
          process.exit(0);
        });
      }
    });
  });
}
