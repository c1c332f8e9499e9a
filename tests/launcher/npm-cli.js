// Stands in for npm: it tells the test how it was called, and does and says what the test answers. While there is no
// answer it runs on, as an install does.
import { connect } from "node:net";

const socket = connect(process.env.STAND_IN_SOCKET ?? "");
socket.write(`${JSON.stringify({ cwd: process.cwd(), args: process.argv.slice(2), node: process.version })}\n`);
socket.once("data", (data) => {
  const { output, code } = JSON.parse(`${data}`);
  process.stderr.write(output);
  process.exitCode = code;
  socket.end();
});
