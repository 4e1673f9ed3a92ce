import { fileURLToPath } from "node:url";
import { AgentDefinition } from "@xworkmate/contracts";

const script = fileURLToPath(new URL("../../../../../e2e/fakes/unruly-agent.ts", import.meta.url));
// Halves the start of an agent, which every test here waits for.
const compileCache = fileURLToPath(new URL("../../../../../.cache/compile", import.meta.url));

/** The end-to-end tests' misbehaving agent, as a user would name it in providers.json. */
export function unrulyDefinition(env: Readonly<Record<string, string>> = {}, id = "unruly"): AgentDefinition {
	return AgentDefinition.parse({
		id,
		name: "Unruly",
		distribution: { command: { cmd: process.execPath, args: [script], env: { NODE_COMPILE_CACHE: compileCache, ...env } } },
	});
}
