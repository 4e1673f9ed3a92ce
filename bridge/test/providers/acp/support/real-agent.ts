import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { AgentDefinition } from "@xworkmate/contracts";

const run = promisify(execFile);
const INSTALL_MS = 240_000;

function script(name: string): string {
	return fileURLToPath(new URL(`../../../../../e2e/agents/${name}`, import.meta.url));
}

/** Installs a real agent once for all tests, and says how to start it against a model. */
export async function installAgent(name: string): Promise<void> {
	await run(process.execPath, [script("install.ts"), name], { timeout: INSTALL_MS });
}

export async function agentDefinition(name: string, modelUrl: string, home: string): Promise<AgentDefinition> {
	const { stdout } = await run(process.execPath, [script("definitions.ts"), name, modelUrl, home]);
	return AgentDefinition.parse(JSON.parse(stdout));
}
