import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../bridge/bridge-process.ts";
import { gatewayEnvironment } from "./openclaw-config.ts";
import { type OpenClawGateway, openClawProgram } from "./openclaw-gateway.ts";

const BOUND_MS = 240_000;
const run = promisify(execFile);

/** The blocks of a section of docs/openclaw.md, as they are written there. `sh`: commands; empty: what one prints. */
export async function documentedBlocks(section: number, language: "sh" | "" = "sh"): Promise<readonly string[]> {
	const text = await readFile(join(repositoryRoot, "docs", "openclaw.md"), "utf8");
	const [, body] = text.split(new RegExp(`^## ${section}\\. .*$`, "m"));
	if (body === undefined) throw new Error(`docs/openclaw.md has no section ${section}`);
	const blocks = (body.split(/^## /m)[0] ?? "").matchAll(/^```(\w*)\n(.*?)^```$/gms);
	return [...blocks].flatMap(([, name, words = ""]) => (name === language ? [words] : []));
}

/** The one block of a section's that has these words. */
export async function documentedBlock(section: number, words: string): Promise<string> {
	const found = (await documentedBlocks(section)).filter((block) => block.includes(words));
	const [block] = found;
	if (block === undefined || found.length > 1) throw new Error(`section ${section} has ${found.length} blocks with ${words}`);
	return block;
}

/** Runs lines of the document in a checkout, beside a gateway, as its reader would. @throws with what they wrote */
export async function runDocumented(
	{ place }: OpenClawGateway,
	lines: string,
	env: Record<string, string> = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
	const programs = join(place.folder, "bin");
	const openclaw = join(programs, "openclaw");
	await mkdir(programs, { recursive: true });
	await writeFile(openclaw, `#!/bin/sh\nexec "${process.execPath}" "${openClawProgram}" "$@"\n`);
	await chmod(openclaw, 0o755);
	const path = [programs, dirname(process.execPath), process.env.PATH ?? "/usr/bin:/bin"].join(delimiter);
	const environment = { ...gatewayEnvironment(place), PATH: path, ...env };
	return run("/bin/sh", ["-euc", lines], { cwd: repositoryRoot, env: environment, timeout: BOUND_MS });
}
