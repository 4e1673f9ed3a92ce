import { endByPid } from "../machine/live-processes.ts";
import { seededRandom } from "../machine/seeded-random.ts";
import { within } from "../machine/wait-until.ts";
import { expectAgreement, linesAndFiles } from "./app-kill-rounds.ts";
import { backgroundHome } from "./background-app.ts";
import { startCommand } from "./command.ts";
import { quietThreads } from "./started-app.ts";

const LINES = 12;
const END_MS = 60_000;
const victims = ["app", "command", "app and command"] as const;

/**
 * Kills the app in the background, the command that follows a run, or both, at a seeded line of the run. The run goes on in the bridge, so
 * a command that lives ends with its success, and the thread has the run's files once. No thread is lost, and none is there twice.
 */
export async function backgroundKillRounds(seed: number, rounds: number): Promise<void> {
	const random = seededRandom(seed);
	await using at = await backgroundHome();
	for (let round = 0; round < rounds; round++) {
		const line = Math.floor(random() * LINES);
		const victim = victims[Math.floor(random() * victims.length)] ?? "app";
		const what = `round ${round}: kill of the ${victim} at line ${line}`;
		const run = startCommand(at.home, ["run", "--provider", "script", linesAndFiles], { env: at.env });
		await run.until(new RegExp(`line ${line}\\b`));
		const { pid } = await at.owner();
		if (victim !== "command") endByPid(pid);
		if (victim !== "app") endByPid(run.pid);
		const { code, stderr } = await within(`the end of the command after the ${what}`, END_MS, run.ended);
		if (victim === "app" && code !== 0) throw new Error(`${what}: the command ended with ${code}: ${stderr}`);
		const threads = await quietThreads(at.home, END_MS, at.env);
		if (threads.length !== round + 1) throw new Error(`${what}: ${threads.length} threads`);
		const unsuccessful = threads.filter(({ lastResultCode }) => lastResultCode !== "success");
		if (unsuccessful.length > 0) throw new Error(`${what}: ${JSON.stringify(unsuccessful)}`);
		for (const thread of threads) await expectAgreement(at.home, thread);
		await at.onlyApps([(await at.owner()).pid]);
	}
}
