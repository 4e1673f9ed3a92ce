import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { repositoryRoot } from "./repository.ts";

interface Step {
	readonly name: string;
	/** A program of node_modules/.bin, or node itself. */
	readonly program: string;
	readonly args: readonly string[];
}

const steps: readonly Step[] = [
	{ name: "lint and format", program: "biome", args: ["ci", "--error-on-warnings", "."] },
	{ name: "types", program: "tsc", args: ["-b"] },
	{ name: "dead code and dependencies", program: "knip", args: ["--no-progress"] },
	{ name: "linear regular expressions", program: "node", args: ["scripts/check-expressions.ts"] },
	{ name: "generated documents", program: "node", args: ["scripts/generate.ts", "--check"] },
];

/** Runs one step with its output shown; true when it succeeded. */
function run({ name, program, args }: Step): boolean {
	const started = performance.now();
	const path = program === "node" ? process.execPath : join(repositoryRoot, "node_modules", ".bin", program);
	const { status, error } = spawnSync(path, args, { cwd: repositoryRoot, stdio: "inherit", shell: process.platform === "win32" });
	const ok = status === 0;
	console.log(`${ok ? "ok    " : "FAILED"} ${name} (${Math.round(performance.now() - started)} ms)${error ? `: ${error.message}` : ""}`);
	return ok;
}

// Runs every step, so that one run shows everything there is to fix.
const failed = steps.filter((step) => !run(step));
process.exitCode = failed.length === 0 ? 0 : 1;
