import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** An entry of `providers.json`, as docs/protocol.md#providersfile words it. */
export interface AgentEntry {
	readonly id: string;
	readonly name: string;
	readonly distribution: {
		readonly command: { readonly cmd: string; readonly args?: readonly string[]; readonly env?: Record<string, string> };
	};
}

const fakes = fileURLToPath(new URL("../../fakes/", import.meta.url));

/** The agent of our own that misbehaves on request. */
export function unrulyAgent(id = "unruly", env: Record<string, string> = {}): AgentEntry {
	return {
		id,
		name: `Unruly (${id})`,
		distribution: { command: { cmd: process.execPath, args: [join(fakes, "unruly-agent.ts")], env } },
	};
}

/** An agent whose start is the end, or the hang, of the bridge that starts it: no turn ever reaches it. */
export function poisonousAgent(signal: "SIGKILL" | "SIGSTOP", id = "poison"): AgentEntry {
	const attack = `process.kill(process.ppid, "${signal}"); process.stdin.resume()`;
	return { id, name: `Poison (${signal})`, distribution: { command: { cmd: process.execPath, args: ["-e", attack] } } };
}
