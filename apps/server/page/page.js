const field = (id) => document.getElementById(id);

async function look() {
  try {
    const answer = await fetch("/api/health", { cache: "no-store", signal: AbortSignal.timeout(3000) });
    const health = await answer.json();
    field("version").textContent = health.version;
    field("uptime").textContent = duration(health.uptime_s);
    field("log").textContent = health.ready ? `${health.log.engine}, open` : "not ready";
    field("unsafe").hidden = !health.unsafe;
    show(health.ready, health.ready ? "running" : "not ready", health.ready ? "" : health.log.problem);
  } catch {
    show(false, "not reachable", "The server doesn't answer. Start it again with npm start.");
  }
}

function show(good, word, advice) {
  field("state").classList.toggle("bad", !good);
  // Said anew only when it changed: a screen reader reads every change aloud.
  if (field("word").textContent !== word) field("word").textContent = word;
  field("advice").hidden = advice === "";
  field("advice").textContent = advice;
}

function duration(seconds) {
  const units = [
    ["d", 86_400],
    ["h", 3600],
    ["min", 60],
    ["s", 1],
  ];
  const first = units.findIndex(([, size]) => seconds >= size);
  if (first === -1) return "a moment";
  return units
    .slice(first, first + 2)
    .map(([unit, size], i) => `${Math.floor((i === 0 ? seconds : seconds % units[first][1]) / size)} ${unit}`)
    .join(" ");
}

look();
setInterval(look, 3000);
