export { createOpenClawProvider } from "./create-openclaw-provider.ts";
