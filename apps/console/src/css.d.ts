declare module "*.css" {}
declare module "@fontsource-variable/inter/index.css" {}
declare module "@fontsource-variable/jetbrains-mono/index.css" {}
