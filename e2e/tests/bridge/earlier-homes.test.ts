import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { earlierHome } from "../../support/app/earlier-home.ts";
import { listThreads, quietThreads, startApp } from "../../support/app/started-app.ts";
import { syncedFiles } from "../../support/app/thread-folder.ts";
import { readEndpoint } from "../../support/bridge/bridge-process.ts";
import type { TemporaryHome } from "../../support/machine/temporary-home.ts";
import { sha256Of } from "../../support/wire/served-artifacts.ts";

// The files were made on a day that is long ago when this runs.
const env = { XWORKMATE_KEEP_MS: String(100 * 365 * 86_400_000) };
const draft = sha256Of("# Plum cake, first draft");
const better = "# Plum cake, second draft";

const Shown = z.looseObject({
	folder: z.string(),
	prompts: z.record(z.string(), z.string()),
	answers: z.record(z.string(), z.looseObject({ text: z.string() })),
	thread: z.looseObject({
		title: z.string(),
		turns: z.array(z.looseObject({ turnId: z.string(), status: z.string(), syncedPaths: z.array(z.string()) })),
	}),
});
const Tasks = z.array(z.looseObject({ status: z.string(), runId: z.string() }));
const Result = z.looseObject({ result: z.unknown() });
const Threads = z.array(z.looseObject({ threadId: z.string() }));
const Found = z.looseObject({ result: z.looseObject({ threads: z.array(z.looseObject({ threadId: z.string() })) }) });

async function json(home: TemporaryHome, ...args: readonly string[]): Promise<unknown> {
	const { code, stdout, stderr } = await runCommand(home, [...args, "--json"], { env });
	expect(code, stderr).toBe(0);
	return JSON.parse(stdout);
}

/** Every thread with its messages, answers and files. The app is asked as a command asks it, without starting one for each thread. */
async function everything(home: TemporaryHome) {
	const endpoint = await readEndpoint(home, "app");
	const token = (await readFile(join(home.xworkmate, "app", "token"), "utf8")).trim();
	const call = async (method: string, params: object) => {
		const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
		const response = await fetch(`${endpoint?.url}/api/${method}`, { method: "POST", headers, body: JSON.stringify(params) });
		return Result.parse(await response.json()).result;
	};
	const listed = await Promise.all([false, true].map(async (archived) => Threads.parse(await call("listThreads", { archived }))));
	const ids = listed.flat().map(({ threadId }) => threadId);
	return await Promise.all(ids.sort().map(async (threadId) => ({ id: threadId, ...Shown.parse(await call("showThread", { threadId })) })));
}

const outcome = ({ thread, prompts, answers }: z.infer<typeof Shown>) =>
	thread.turns.map(({ turnId, status, syncedPaths }) => [prompts[turnId]?.slice(0, 20), status, answers[turnId]?.text, syncedPaths]);

it.each(["0446953", "15ae196"])(
	"a home that %s wrote opens with every thread, run and file, and goes on",
	async (commit) => {
		await using home = await earlierHome(commit);
		const files = await syncedFiles(home);
		expect(Object.values(files).sort()).toEqual([sha256Of("a,b\n1,2\n"), sha256Of(better), sha256Of("put away")].sort());
		// Opened without a bridge first: reading migrates, and doing so again changes nothing.
		const stored = await listThreads(home);
		expect(await listThreads(home)).toEqual(stored);
		expect(stored).toHaveLength(5);

		let before: Awaited<ReturnType<typeof everything>>;
		{
			await using app = await startApp(home, env);
			await quietThreads(home);
			before = await everything(home);
			expect(before.map(outcome)).toEqual(
				expect.arrayContaining([
					[
						["await tools.files.wr", "completed", "The first report is written", ["data/numbers.csv", "report.md"]],
						["await tools.files.wr", "completed", "The report is better now", ["report.md"]],
					],
					[["return 'A list of in", "completed", "A list of ingredients was attached", []]],
					[["throw new Error('the", "failed", "", []]],
					[["await tools.files.wr", "artifact_missing", "done", []]],
					[["await tools.files.wr", "completed", "Filed away", ["old.txt"]]],
					[["await tools.files.wr", "interrupted", "", []]],
				]),
			);
			expect(before).toHaveLength(6);
			expect(await syncedFiles(home)).toEqual(files);
			const tasks = Tasks.parse(await json(home, "tasks"));
			expect(tasks.map(({ status }) => status).sort()).toEqual(
				["artifact_missing", "completed", "completed", "completed", "completed", "failed", "interrupted"].sort(),
			);
			const cake = before.find(({ thread }) => thread.turns.length === 2);
			if (cake === undefined) throw new Error("the thread with two messages is not there");
			const [link = ""] = await app.command.until(/http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{43}/);
			expect(await search(new URL(link), "report is BETTER")).toEqual([cake.id]);

			await rm(join(cake.folder, "report.md"));
			await rm(join(cake.folder, "data"), { recursive: true });
			const synced = await runCommand(home, ["sync", cake.id], { env });
			expect([synced.code, synced.stdout], synced.stderr).toEqual([0, expect.stringMatching(/report\.md[\s\S]*data\/numbers\.csv/)]);
			expect(await syncedFiles(home)).toEqual(files);
			expect(sha256Of(await readFile(join(cake.folder, ".versions", await firstRun(cake.id), `report.md~${draft.slice(0, 8)}`)))).toBe(
				draft,
			);

			const more = "await tools.files.write({path:'report.md', text:'# Third'}); return 'continued'";
			const continued = await runCommand(home, ["run", "--provider", "script", "--thread", cake.id, more], { env });
			expect([continued.code, continued.stdout], continued.stderr).toEqual([0, "continued\n"]);
			expect(await readFile(join(cake.folder, "report.md"), "utf8")).toBe("# Third");
			before = await everything(home);
		}
		await using _again = await startApp(home, env);
		expect(await everything(home)).toEqual(before);

		/** The run that replaced the thread's first report. */
		async function firstRun(threadId: string): Promise<string> {
			const [, second] = Tasks.parse(await json(home, "tasks", "--thread", threadId)).reverse();
			return second?.runId ?? "";
		}
	},
	180_000,
);

async function search(link: URL, text: string): Promise<readonly string[]> {
	const opened = await fetch(link, { redirect: "manual" });
	const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
	const headers = { cookie, origin: link.origin, "content-type": "application/json" };
	const response = await fetch(`${link.origin}/api/searchThreads`, { method: "POST", headers, body: JSON.stringify({ text }) });
	return Found.parse(await response.json()).result.threads.map(({ threadId }) => threadId);
}
