import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { startApp } from "../../support/app/started-app.ts";
import { writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";

const Plan = z.looseObject({ planId: z.string(), threadId: z.string(), occurrence: z.looseObject({ status: z.string() }).optional() });
const running = "The run was asked to stop, but hasn’t ended yet.";

it("a plan whose agent ignores the cancel is not only cancelled, wherever it is shown", async () => {
	await using home = await temporaryHome();
	const stories = join(home.path, "stories.json");
	await writeFile(stories, JSON.stringify({ "Never stop": "UNRULY:IGNORE_CANCEL ;; SAY Working. ;; HANG" }));
	await writeProviders(home, [unrulyAgent("unruly", { UNRULY_STORIES: stories })]);
	await using _app = await startApp(home);
	const plans = async (...args: string[]) => (await runCommand(home, ["plans", ...args])).stdout;
	const tasks = async (threadId: string) => (await runCommand(home, ["tasks", "--thread", threadId])).stdout;
	const working = async () => {
		const made = await plans("create", "--dashboard", "--json", "--agent", "unruly", "--instructions", "Never stop");
		const plan = Plan.parse(JSON.parse(made));
		await waitUntil("the work to run", 20_000, async () => ((await tasks(plan.threadId)).includes("Running") ? true : undefined));
		return plan;
	};
	const { planId, threadId } = await working();
	expect(await plans("cancel", planId, "--yes")).toContain(`Cancelled 1 message.\n  ${running}`);
	expect(await tasks(threadId)).toMatch(/Stop requested at .*, waiting for confirmation/);
	expect(await plans("show", planId)).toContain(running);
	expect(await plans("watch", planId)).toContain(running);
	expect(await plans("list")).toContain("Cancelled, work still running");
	const deleted = await working();
	expect(await plans("delete", deleted.planId, "--yes")).toContain(running);
	expect(await tasks(deleted.threadId)).toMatch(/Stop requested at /);
}, 90_000);
