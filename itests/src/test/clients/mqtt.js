// Publishes at each QoS to itself, and gets its session back. URL VERSION (4 or 5) [CA FILE].
'use strict';
const fs = require('fs');
const mqtt = require('mqtt');

const [url, version, ca] = process.argv.slice(2);
const options = {
  protocolVersion: Number(version),
  clientId: 'mqtt-js-' + version,
  clean: false,
  reconnectPeriod: 0,
  properties: version === '5' ? { sessionExpiryInterval: 1000 } : undefined,
  ca: ca ? [fs.readFileSync(ca)] : undefined,
};
const bodies = ['grüße 😀', 'plain', 'x'.repeat(200000)];

async function run() {
  const first = await mqtt.connectAsync(url, options);
  const messages = collect(first);
  await first.subscribeAsync('js/+', { qos: 2 });
  for (let qos = 0; qos < bodies.length; qos++) {
    await first.publishAsync('js/' + qos, bodies[qos], { qos });
  }
  await until(() => messages.length === bodies.length);
  messages.sort((one, other) => one.qos - other.qos);
  for (let qos = 0; qos < bodies.length; qos++) {
    const { topic, body } = messages[qos];
    if (messages[qos].qos !== qos || topic !== 'js/' + qos || body !== bodies[qos]) {
      throw new Error('another message: ' + topic + ' ' + messages[qos].qos + ' ' + body.slice(0, 100));
    }
  }
  await first.endAsync();
  const later = await mqtt.connectAsync(url, { ...options, clientId: 'mqtt-js-later' });
  await later.publishAsync('js/later', 'later', { qos: 2 });
  await later.endAsync();
  const second = mqtt.connect(url, options);
  const resumed = collect(second);
  await until(() => resumed.length === 1);
  await second.endAsync();
  console.log('received ' + messages.length + ' and ' + resumed[0].body);
}

function collect(client) {
  const messages = [];
  client.on('message', (topic, payload, packet) => messages.push({ topic, qos: packet.qos, body: payload.toString() }));
  client.on('error', fail);
  return messages;
}

async function until(condition) {
  while (!condition()) await new Promise((resume) => setTimeout(resume, 20));
}

function fail(error) {
  console.log(error.message);
  process.exit(1);
}

setTimeout(() => fail(new Error('not done in time')), 50000).unref();
run().catch(fail);
