// Plays on boardgame.io's server, in a closed loop a table: the next report is sent when all ten
// clients have the last one. A client is told of an update when it has parsed the whole new state.
//
//     node load.js PORT TABLES SECONDS
//
// Prints "begin" and "end" around what is measured, then its figures as JSON, and stays connected
// until its standard input ends.

const { io } = require("socket.io-client");

const [port, tables, seconds] = process.argv.slice(2).map(Number);
const url = `http://127.0.0.1:${port}`;
const CLIENTS = 10;
const CARDS_MAX = 30;
const WARM_MS = 3000;
const TOOLS = ["pickaxe", "lantern", "cart"];
const CARDS = ["NESW", "NES", "NSW", "NEW", "ESW", "NS", "EW", "NE", "NW", "NESWx", "EWx"];
const NAMES = ["Õnne", "Jānis", "Rūta", "Väinö", "Bo", "Charlotte", "Ģirts", "Ärni", "Žydrė", "Mo"];

const pick = (list) => list[Math.floor(Math.random() * list.length)];
const cell = (number) => [(number % 8) + 1, Math.floor(number / 8) - 2];

async function post(path, body) {
  const answer = await fetch(`${url}/games/maze/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body)
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

class Table {
  reports = 0;
  updates = 0;
  playing = true;

  async open(number) {
    const names = NAMES.map((name) => `${name} ${number}`);
    const cards = [...Array(number % CARDS_MAX).keys()].map((each) => [pick(CARDS), cell(each)]);
    const { matchID } = await post("create", { numPlayers: CLIENTS, setupData: { names, cards } });
    this.id = matchID;
    this.clients = [];
    for (const [seat, playerName] of names.entries()) {
      const joined = await post(`${matchID}/join`, { playerID: String(seat), playerName });
      this.clients.push(await this.connect(String(seat), joined.playerCredentials));
    }
  }

  connect(playerID, credentials) {
    const socket = io(`${url}/maze`, { transports: ["websocket"], forceNew: true });
    const client = { socket, playerID, credentials, version: 0 };
    socket.on("update", (_, state) => this.arrived(client, state));
    socket.on("disconnect", (reason) => fail(`a client was disconnected: ${reason}`));
    return new Promise((resolve) => {
      socket.on("sync", (_, { state }) => {
        client.version = state._stateID;
        this.state = state;
        resolve(client);
      });
      socket.on("connect", () => socket.emit("sync", this.id, playerID, credentials, CLIENTS));
    });
  }

  arrived(client, state) {
    this.updates += 1;
    client.version = state._stateID;
    this.state = state;
    if (this.clients.some(({ version }) => version < this.awaited)) return;
    this.reports += 1;
    if (this.playing) this.report();
  }

  report() {
    const { G, _stateID } = this.state;
    const { socket, playerID, credentials } = this.clients[G.turn];
    this.awaited = _stateID + 1;
    const payload = { type: "report", args: [this.play(G)], playerID, credentials };
    socket.emit("update", { type: "MAKE_MOVE", payload }, _stateID, this.id, playerID);
  }

  play(G) {
    const tool = pick(TOOLS);
    const seat = Math.floor(Math.random() * CLIENTS);
    if (Math.random() < 0.7)
      return { play: "path", card: pick(CARDS), at: cell(G.maze.length - 1) };
    return { play: G.players[seat].broken.includes(tool) ? "repair" : "break", tool, seat };
  }
}

function fail(why) {
  console.error(why);
  process.exit(1);
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function main() {
  const room = [...Array(tables).keys()].map(() => new Table());
  for (const [number, table] of room.entries()) await table.open(number);
  const sum = (of) => room.reduce((all, table) => all + of(table), 0);
  const reports = () => sum((table) => table.reports);
  const updates = () => sum((table) => table.updates);
  const bytes = () =>
    sum(({ clients }) =>
      clients.reduce((all, { socket }) => all + socket.io.engine.transport.ws._socket.bytesRead, 0)
    );
  for (const table of room) table.report();
  await wait(WARM_MS);
  const before = [reports(), updates(), bytes()];
  const began = performance.now();
  const cpu = process.cpuUsage();
  console.log("begin");
  await wait(1000 * seconds);
  console.log("end");
  const spent = process.cpuUsage(cpu);
  const took = (performance.now() - began) / 1000;
  const made = reports() - before[0];
  if (!made) fail("no report came to all clients");
  const figures = {
    reports_per_s: made / took,
    reports: made,
    bytes_per_update: (bytes() - before[2]) / (updates() - before[1]),
    client_cpu_share: (spent.user + spent.system) / 1e6 / took
  };
  for (const table of room) table.playing = false;
  console.log(JSON.stringify(figures));
  process.stdin.resume().on("end", () => process.exit(0));
}

main().catch((error) => fail(error));
