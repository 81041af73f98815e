// Talks to the broker at each address that the query names (ws=, wss=, foreign=) and posts what came of it, one line each.
'use strict';
const query = new URLSearchParams(location.search);

function report(line) {
  return fetch('/result', { method: 'POST', body: line });
}

// Resolves when the client has sent, received, acknowledged and said goodbye.
function roundTrip(url) {
  const binary = new Uint8Array([0, 1, 10, 254, 255]);
  const text = 'grüße 😀 ' + 'x'.repeat(200000);
  return new Promise((resolve, reject) => {
    const receipts = [];
    const client = new StompJs.Client({ brokerURL: url, reconnectDelay: 0, heartbeatIncoming: 1000, heartbeatOutgoing: 1000 });
    client.onStompError = (frame) => reject(new Error('ERROR ' + frame.headers.message));
    client.onWebSocketError = () => reject(new Error('the socket failed'));
    client.onConnect = (connected) => {
      const destination = '/queue/' + connected.headers.session;
      let count = 0;
      client.subscribe(destination, (message) => {
        count++;
        if (count === 1 && message.body !== text) reject(new Error('another text'));
        if (count === 2) {
          if (String(message.binaryBody) !== String(binary)) reject(new Error('other bytes: ' + message.binaryBody));
          message.ack();
          client.onDisconnect = () => resolve(connected.headers.version + ' ' + receipts.join(' '));
          client.deactivate();
          return;
        }
        message.ack();
      }, { ack: 'client-individual' });
      for (const receipt of ['first', 'second']) {
        client.watchForReceipt(receipt, () => receipts.push(receipt));
      }
      client.publish({ destination, body: text, headers: { receipt: 'first' } });
      client.publish({ destination, binaryBody: binary,
        headers: { receipt: 'second', 'content-type': 'application/octet-stream' } });
    };
    client.activate();
  });
}

// Resolves with the ERROR that a wrong destination is answered with, and the close behind it.
function refusal(url) {
  return new Promise((resolve) => {
    let error = 'no ERROR';
    const client = new StompJs.Client({ brokerURL: url, reconnectDelay: 0 });
    client.onStompError = (frame) => { error = 'ERROR of ' + frame.headers['receipt-id']; };
    client.onWebSocketClose = (close) => resolve(error + ', close ' + close.code + ' clean ' + close.wasClean);
    client.onConnect = () => client.subscribe('nowhere', () => {}, { receipt: 'r7' });
    client.activate();
  });
}

// What becomes of a page that may not connect.
function attempt(url) {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, ['v12.stomp']);
    socket.onopen = () => resolve('open');
    socket.onclose = (close) => resolve('close ' + close.code);
  });
}

async function run() {
  for (const kind of ['ws', 'wss']) {
    if (query.has(kind)) {
      for (const [name, test] of [['round trip', roundTrip], ['refusal', refusal]]) {
        const outcome = await test(query.get(kind)).catch((error) => 'failed: ' + error.message);
        await report(kind + ' ' + name + ': ' + outcome);
      }
    }
  }
  if (query.has('foreign')) {
    await report('foreign: ' + await attempt(query.get('foreign')));
  }
  if (query.has('frame')) {
    const frame = document.createElement('iframe');
    frame.src = query.get('frame');
    document.body.appendChild(frame);
  }
}

addEventListener('load', () => run().catch((error) => report('page: ' + error.message)));
