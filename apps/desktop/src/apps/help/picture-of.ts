/** The address of a picture of the guide; of one that there is in both themes, that of this one. */
export function pictureOf(
  there: { readonly [path: string]: string },
  name: string,
  theme: string | undefined,
): string | undefined {
  const find = (wanted: string) => Object.entries(there).find(([path]) => path.endsWith(`/${wanted}`))?.[1];
  return (theme === "light" ? find(name.replace(/\.png$/, "-light.png")) : undefined) ?? find(name);
}
