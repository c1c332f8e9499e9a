// Puts in place what the commands of this repository need. Whatever Node the machine has reads this file, so it holds
// nothing that an old one could not parse; the rest is loaded once the version is known to be good enough.

const major = Number.parseInt(process.versions.node, 10);

if (major < 18) {
  console.error(
    "ChoirOS starts from Node 18 or newer (and brings Node 24 itself), but this is Node " +
      process.versions.node +
      ": install Node 24 from https://nodejs.org, then run this again.",
  );
  process.exit(1);
} else {
  import("./prepare/main.mjs").then((it) => it.main(process.argv.slice(2)));
}
