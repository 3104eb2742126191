// The bikes server that hw's own is held against: the contract's six routes, answered the way the original answers them,
// written anew for the purpose. State is an array; a query looks at every bike.
//
//     node bikes-original.js [PORT [COUNT]]     COUNT invented bikes more than the original's three
'use strict';
const express = require('express');
const app = express();
app.disable('x-powered-by');
app.use(express.json());

const bike = (id, name, color, pin, latitude, longitude) =>
  ({ id, name, color, pin, location: { latitude, longitude }, rented: false });
const bikes = [
  bike('0', 'Henry', '00C8E6', '1234', 50.119504, 8.638137),
  bike('1', 'Hans', '76CD68', '5678', 50.119229, 8.640020),
  bike('2', 'Thomas', 'EAB151', '1111', 50.120452, 8.650507),
];
const count = Number(process.argv[3] || 0);
for (let i = 0; i < count; i++) {
  // A spiral that fills a disc evenly: the same bikes at every start.
  const far = 0.45 * Math.sqrt((i + 0.5) / count);
  const turn = i * 2.399963229728653;
  bikes.push(bike(bikes.length, `Bike ${i}`, '00C8E6', '0420',
    50.119504 + far * Math.cos(turn), 8.638137 + far * Math.sin(turn) / 0.641));
}

const metres = (a, b) => {
  const radians = Math.PI / 180;
  const north = (b.latitude - a.latitude) * radians / 2;
  const east = (b.longitude - a.longitude) * radians / 2;
  const h = Math.sin(north) ** 2
    + Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * Math.sin(east) ** 2;
  return 2 * 6371000 * Math.asin(Math.sqrt(h));
};
const refuse = (res, status, text) => res.status(status).type('text').send(`🚲 ${text}`);
const find = (req, res) => {
  const found = bikes.find((bike) => String(bike.id) === req.params.id);
  if (!found) refuse(res, 404, "This bike doesn't exist");
  return found;
};
// A coordinate of 0 counts as missing, as it does there.
const valid = (body) => body && body.name && body.color && /^[0-9]{4}$/.test(body.pin)
  && body.location && body.location.latitude && body.location.longitude;

app.get('/bikes', (req, res) => {
  const latitude = Number(req.query.latitude);
  const longitude = Number(req.query.longitude);
  if (!latitude || !longitude) return res.send(bikes);
  const radius = Number(req.query.radius) || 1000;
  res.send(bikes.filter((bike) => metres({ latitude, longitude }, bike.location) <= radius));
});
app.post('/bikes', (req, res) => {
  if (!valid(req.body)) return refuse(res, 400, 'This is not a valid bike');
  const { name, color, pin, location } = req.body;
  bikes.push({ id: bikes.length, name, color, pin, location, rented: false });
  res.end();
});
app.put('/bikes/:id', (req, res) => {
  const found = find(req, res);
  if (!found) return;
  if (!valid(req.body)) return refuse(res, 400, 'This is not a valid bike');
  const { name, color, pin, location } = req.body;
  Object.assign(found, { name, color, pin, location });
  res.end();
});
app.put('/bikes/:id/rented', (req, res) => {
  const found = find(req, res);
  if (!found) return;
  if (found.rented) return refuse(res, 400, 'This bike is already rented');
  found.rented = true;
  res.end();
});
app.delete('/bikes/:id/rented', (req, res) => {
  const found = find(req, res);
  if (!found) return;
  if (!found.rented) return refuse(res, 400, 'This bike is not rented');
  found.rented = false;
  res.end();
});

const server = app.listen(Number(process.argv[2] || 0), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}`));
