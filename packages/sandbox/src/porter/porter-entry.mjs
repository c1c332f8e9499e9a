// Runs inside a network namespace, in an empty place, and hands sockets out of it: it sees no byte of what they carry.
// JavaScript as it is: there is nothing around it to strip types with, and it starts in half the time.
import { createServer, Socket } from "node:net";

/** For a listener that is there, but whose queue is full. */
const CONNECT_MS = 5_000;
const LOOPBACKS = ["127.0.0.1", "::1"];

process.on("disconnect", () => process.exit());
process.on("message", ({ id, order, port }) => {
  if (order === "listen") listen(id, port);
  else dial(id, port, LOOPBACKS);
});

function listen(id, port) {
  const server = createServer();
  server.once("error", (error) => process.send({ id, failed: error.code }));
  // The other side accepts from then on; here nobody may.
  server.listen({ host: LOOPBACKS[0], port }, () => process.send({ id }, server, () => server.close()));
}

function dial(id, port, [host, ...others], first) {
  const socket = new Socket({ allowHalfOpen: true });
  socket.pause(); // whatever is read here would be lost there
  socket.setTimeout(CONNECT_MS, () => socket.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })));
  const fail = ({ code }) => {
    if (others.length > 0) dial(id, port, others, code);
    else process.send({ id, failed: first ?? code });
  };
  socket.once("error", fail);
  socket.connect({ host, port }, () => {
    socket.off("error", fail).on("error", () => {}); // it is the other side's to hear of from now on
    process.send({ id }, socket);
  });
}
