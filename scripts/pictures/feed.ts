import type { Turn } from "../../tests/model/script.ts";

export const FEED_ASK = "Add an RSS feed of our breads, and test it";

const MAKES = `#!/bin/sh
echo '<rss version="2.0"><channel><title>Bread</title>'
tr -d '[]" ' < breads.json | tr , '\\n' | sed 's|.*|<item><title>&</title></item>|'
echo '</channel></rss>'
`;

const TESTS = `sh feed.sh > feed.xml
check() { grep -q "$2" feed.xml && echo "✓ $1"; }
check 'it is a feed' '<rss'
check 'rye is in it' rye
check 'spelt is in it' spelt
echo '… each entry leads to its page'
sleep 600
`;

const HEAD = "<title>Ada's bakery</title>";
const LINK = '<link rel="alternate" type="application/rss+xml" href="feed.xml">';

/** An ask that is at work, up to a command that doesn't end by itself: whoever took the picture stops it. */
export const FEED: readonly Turn[] = [
  [
    {
      tool: "plan",
      input: {
        instruction: "Make site/feed.xml of breads.json, link it from the page, and test it.",
        acceptance_criteria: ["every bread is in the feed", "the page links it"],
        allowed_tools: ["read_file", "write_file", "edit_file", "bash"],
        paths: ["site"],
        cost_budget: 0.5,
        verify: ["cd site && sh feed.test.sh"],
      },
    },
  ],
  [
    { tool: "read_file", input: { path: "site/breads.json" } },
    { tool: "read_file", input: { path: "site/index.html" } },
  ],
  [
    { tool: "write_file", input: { path: "site/feed.test.sh", content: TESTS } },
    { tool: "write_file", input: { path: "site/feed.sh", content: MAKES } },
    {
      tool: "edit_file",
      input: { path: "site/index.html", edits: [{ old: HEAD, new: `${HEAD}\n${LINK}` }] },
    },
  ],
  [{ tool: "bash", input: { command: "cd site && sh feed.test.sh" } }],
];
