import { expect, it } from "vitest";
import { startBridge } from "../support/bridge/bridge-process.ts";
import { Bystander } from "../support/bridge/bystander.ts";
import { hostileProgram } from "../support/hostile/hostile-generator.ts";
import { type ProgramEnd, runProgram } from "../support/wire/run-program.ts";

const PROGRAMS = 300;
const AT_ONCE = 6;
const BUDGET_MS = 15_000;
const BOUND_MS = 60_000;

/** How a hostile program may end. INTERNAL is the bridge's own fault and never the program's. */
const allowed = [
	"completed",
	"failed SCRIPT_INVALID",
	"failed SCRIPT_ERROR",
	"failed LIMIT_EXCEEDED",
	"failed TOOL_FAILED",
	"failed NO_OUTPUT",
	"interrupted DEADLINE_EXCEEDED",
];

it(`gives each of ${PROGRAMS} generated hostile programs a named end, while a bystander's runs complete`, {
	timeout: 600_000,
}, async () => {
	const seed = Date.now() % 1_000_000_000;
	await using bridge = await startBridge({
		env: { XWORKMATE_MAX_ACTIVE_RUNS: String(AT_ONCE + 2), XWORKMATE_RUN_BUDGET_MS: String(BUDGET_MS) },
	});
	const pid = bridge.pid;
	const bystander = new Bystander(bridge.client(), { lines: 10, pauseMs: 20 });
	const problems: string[] = [];
	const ends = new Map<string, number>();
	const numbers = Array.from({ length: PROGRAMS }, (_, index) => index).values();
	const worker = async () => {
		for (const number of numbers) {
			const end = await runProgram(bridge.client(), hostileProgram(seed + number), { boundMs: BOUND_MS }).catch(String);
			const named = typeof end === "string" ? end : endOf(end);
			ends.set(named, (ends.get(named) ?? 0) + 1);
			if (!allowed.includes(named))
				problems.push(`hostileProgram(${seed + number}) ended ${named} ${typeof end === "string" ? "" : messageOf(end)}`);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	console.log(`seed ${seed}: ${[...ends].map(([end, count]) => `${count} ${end}`).join(", ")}`);
	expect(problems, `seed ${seed}; the bridge's log of what went wrong: ${faultsOf(bridge.output)}`).toEqual([]);
	expect(await bystander.end(), `seed ${seed}`).toBeGreaterThan(3);
	expect((await bridge.client().http({ path: "/healthz" })).status).toBe(200);
	expect(bridge.pid).toBe(pid);
	// No process of the bridge may be left: looked for when it is disposed of.
});

/** An end that is INTERNAL has its cause in the bridge's log alone. */
function faultsOf(output: string): string {
	return output
		.split("\n")
		.filter((line) => line.includes('"level":50'))
		.join("\n")
		.slice(0, 20_000);
}

function endOf(end: ProgramEnd): string {
	if (end.kind === "refused") return `refused ${end.refusal.data.code}`;
	const { status, code } = end.snapshot;
	return code === undefined ? status : `${status} ${code}`;
}

function messageOf(end: ProgramEnd): string {
	return JSON.stringify(end.kind === "refused" ? end.refusal.message : end.snapshot.message);
}
