/** What the scripted demo is asked. Whoever says it gets the script, whichever models are connected, and is told so by it. */
export const DEMO_ASK = "Scripted demo: write a small page about bread, and check it";

export function isDemo(text: string): boolean {
  return text.startsWith("Scripted demo:");
}

/** Who "called a model" in the events of the demo: nobody was asked, and nothing paid. No provider is called so. */
export const DEMO_PROVIDER = "demo";
