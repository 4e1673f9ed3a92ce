import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, AuthProfile, ContractError } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { runAgainst } from "../../support/command-scene.ts";
import { CoreScene, held, routing } from "../../support/core-scene.ts";
import { plan } from "../../support/plan-story.ts";

const goose = Agent.parse({
	...{ agentId: "goose", name: "Goose", description: "", state: "ready", offered: "1.0.0", hasUpdate: false, canInstall: true },
	...{ command: "npm install -g goose", signIn: [] },
});

/** Commands that take something away for good, with what each asks before. */
function removals() {
	const done: string[] = [];
	const note = (what: string) => async (): Promise<never> => {
		done.push(what);
		throw new Error("done");
	};
	const api: Partial<AppApi> = {
		plan: async () => plan({ title: "News" }),
		planOccurrences: async () => ({ items: [] }),
		agents: async () => ({ agents: [goose], problems: [] }),
		accounts: async () => ({ profiles: [] }),
		deletePlan: note("plan"),
		removeAgent: note("agent"),
		removeAccount: note("account"),
		channels: async () => ({ channels: [] }),
		removeChannel: note("channel"),
	};
	return { api, done };
}

describe.each([
	[
		["plans", "delete", "plan-4kq2v7d3mzt6w5xs"],
		["Delete “News”?", expect.stringContaining("The plan’s history and thread are kept.")],
	],
	[
		["agents", "remove", "goose"],
		["Remove Goose?", expect.stringContaining("along with its stored keys")],
	],
	[
		["auth", "remove", "anthropic:key"],
		["Remove anthropic:key?", expect.stringContaining("stays valid with the provider")],
	],
	[
		["channels", "remove", "email"],
		["Remove Email?", expect.stringContaining("Its settings and secrets are removed.")],
	],
	[
		["channels", "remove", "discord"],
		["Remove Discord?", expect.stringContaining("messages to contacts are still sent")],
	],
])("%j", (args, asked) => {
	it("says what is taken away, and does nothing before a yes", async () => {
		const { api, done } = removals();
		const ran = await runAgainst(api, args, { answer: "n" });
		expect([ran.code, ran.lines, ran.notes]).toEqual([5, [...asked, "Nothing was removed."], ["Continue?"]]);
		expect(done).toEqual([]);
		await runAgainst(api, args, { answer: "y" });
		expect(done).toHaveLength(1);
	});

	it("is refused without a terminal, and with --json, with the command that does it", async () => {
		const { api, done } = removals();
		for (const [why, flags, more] of [
			["without a terminal", []],
			["with --json", ["--json"], { answer: "y" }],
		] as const) {
			const { error } = await runAgainst(api, [...args, ...flags], more);
			expect(error).toMatchObject({
				code: "INVALID_INPUT",
				message: `This can't be undone, and XWorkmate can't ask you to confirm it ${why}. Nothing was removed.`,
				fix: `To skip the confirmation: npm run -s xworkmate -- ${args.join(" ")} --yes`,
			});
		}
		expect(done).toEqual([]);
	});

	it("asks nothing with --yes", async () => {
		const { api, done } = removals();
		expect((await runAgainst(api, [...args, "--yes"])).notes).toEqual([]);
		expect(done).toHaveLength(1);
	});
});

it("an agent that can't be removed is refused at once, without a question or advice to answer one", async () => {
	const fix = "To remove it, edit providers.json.";
	const removeAgent = () => Promise.reject(new ContractError("AGENT_REFUSED", { detail: "bad is your own agent.", fix }));
	const { api } = removals();
	for (const more of [{}, { answer: "y" } as const]) {
		const { error, notes } = await runAgainst({ ...api, removeAgent }, ["agents", "remove", "bad"], more);
		expect(error).toMatchObject({ code: "AGENT_REFUSED", fix });
		expect(notes).toEqual([]);
	}
});

it("an account of the environment is refused at once, without words about its removal", async () => {
	const removeAccount = () => Promise.reject(new ContractError("INVALID_PARAMS", { detail: "It comes from the environment." }));
	const profile = AuthProfile.parse({
		...{ profileId: "anthropic:env", provider: "anthropic", type: "api_key", state: "ready", variable: "ANTHROPIC_API_KEY" },
	});
	const api = { accounts: async () => ({ profiles: [profile] }), removeAccount };
	for (const more of [{}, { answer: "y" } as const]) {
		const { error, lines, notes } = await runAgainst(api, ["auth", "remove", "anthropic:env"], more);
		expect(error).toMatchObject({ code: "INVALID_PARAMS" });
		expect([lines, notes]).toEqual([[], []]);
	}
});

it("deleting a thread says its title, how many runs and files go with it, and where they are", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("done").end("completed");
	const turn = await scene.send("Plan the trip");
	await scene.end(turn);
	const { threadId: sent } = turn;
	const { folder } = await scene.api.showThread({ threadId: sent });
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "mine.txt"), "");
	const folders = [
		{ kind: "workspace", path: "/home/me/workspaces/trip\u001b[2J", files: 3 },
		{ kind: "worktree", path: "/home/me/worktrees/trip", files: 10_000, more: true, branch: "xworkmate/trip" },
	];
	scene.bridge.answers.set("xworkmate.threads.folders", () => ({ folders }));
	const asked = [
		"Delete “Plan the trip”?",
		"This permanently deletes 1 run, 1 file, and everything else in this thread’s folder.",
		`  ${folder}`,
		expect.stringMatching(/^The agent’s workspace folder is deleted too, with 3 files: \/home\/me\/workspaces\/trip/),
		"Changes in its worktree that your folder doesn’t have are first committed to the branch xworkmate/trip. Files that git ignores are not committed, and will be lost. Then the worktree is deleted, with more than 10000 files: /home/me/worktrees/trip",
		"Your own files in project folders are not affected.",
	];
	const kept = await runAgainst(scene.api, ["threads", "delete", sent], { answer: "n" });
	expect([kept.code, kept.lines]).toEqual([5, [...asked, "Nothing was removed."]]);
	expect(kept.lines.join()).not.toContain("\u001b");
	expect(await scene.api.listThreads({ archived: false })).toHaveLength(1);
	expect((await runAgainst(scene.api, ["threads", "delete", sent])).error).toMatchObject({ code: "INVALID_INPUT" });
	expect(await scene.api.listThreads({ archived: false })).toHaveLength(1);
	expect((await runAgainst(scene.api, ["threads", "delete", sent], { answer: "y" })).code).toBe(0);
	expect(await scene.api.listThreads({ archived: false })).toEqual([]);
});

it("deleting a thread says so if the bridge can't say what goes with it, what git ignores of a worktree, and names the part of a project folder that goes", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("done").end("completed");
	const turn = await scene.send("Plan the trip");
	await scene.end(turn);
	const ask = async () => (await runAgainst(scene.api, ["threads", "delete", turn.threadId], { answer: "n" })).lines.join("\n");
	for (const [ignored, said] of [
		[undefined, "branch b. Files that git ignores are not committed, and will be lost. Then"],
		[{ files: 0 }, "branch b. Then"],
		[{ files: 1 }, "branch b. 1 file that git ignores is not committed, and will be lost. Then"],
		[{ files: 7, more: true }, "branch b. More than 7 files that git ignores are not committed, and will be lost. Then"],
	] as const) {
		const worktree = { kind: "worktree", path: "/w", files: 9, branch: "b", ignored };
		scene.bridge.answers.set("xworkmate.threads.folders", () => ({ folders: [worktree] }));
		expect(await ask()).toContain(`first committed to the ${said} the worktree is deleted, with 9 files: /w`);
	}
	for (const [repositories, said] of [
		[
			{ count: 1, paths: ["lib/\u001b[2J"] },
			/branch b\. The git repository lib\/\S* inside the worktree is not committed, and will be lost with its history\. Then/,
		],
		[
			{ count: 7, paths: ["a/", "b/"] },
			/branch b\. 7 git repositories inside the worktree are not committed, and will be lost with their history: a\/, b\/, …\. Then/,
		],
	] as const) {
		const worktree = { kind: "worktree", path: "/w", files: 9, branch: "b", ignored: { files: 0 }, repositories };
		scene.bridge.answers.set("xworkmate.threads.folders", () => ({ folders: [worktree] }));
		expect(await ask()).toMatch(said);
		expect(await ask()).not.toContain("\u001b");
	}
	scene.bridge.answers.delete("xworkmate.threads.folders");
	expect(await ask()).toMatch(/XWorkmate can’t tell what else will be deleted\..*deleted with everything in it\./);
	const folders = [{ kind: "project", path: "/home/me/site/.xworkmate/tasks/trip", files: 1 }];
	scene.bridge.answers.set("xworkmate.threads.folders", () => ({ folders }));
	const said = await ask();
	expect(said).toContain("only this thread’s folder is deleted, with 1 file: /home/me/site/.xworkmate/tasks/trip");
	expect(said).not.toContain("not affected");
});

it("deleting a thread names the messages and the draft that go with it, and counts no refused message as a run", async () => {
	await using scene = await CoreScene.open();
	const run = held(scene.bridge);
	const turn = await scene.send("Plan the trip");
	const { threadId } = turn;
	for await (const event of scene.api.watch(turn)) if (event.type === "update") break;
	await scene.api.queueMessage({ threadId, prompt: "then", routing });
	await scene.api.saveDraft({ threadId, draft: { prompt: "and more", routing } });
	run().end("failed");
	await scene.end(turn);
	scene.bridge.fault = ({ method }) => (method.startsWith("session.") ? { kind: "error", code: "PROVIDER_NOT_FOUND" } : undefined);
	await scene.end(await scene.send("past the queue", threadId));
	scene.bridge.fault = () => undefined;
	const { lines } = await runAgainst(scene.api, ["threads", "delete", threadId], { answer: "n" });
	expect(lines[1]).toBe("This permanently deletes 1 run and everything else in this thread’s folder.");
	expect(lines.slice(-3)).toEqual([
		"1 unsent message will be deleted too.",
		"Its unsent draft will be deleted too.",
		"Nothing was removed.",
	]);
});

it("a thread that is still running is refused before anything is asked", async () => {
	await using scene = await CoreScene.open();
	held(scene.bridge);
	const { threadId: busy } = await scene.send("work");
	const { error, notes } = await runAgainst(scene.api, ["threads", "delete", busy], { answer: "y" });
	expect(error).toMatchObject({ code: "THREAD_BUSY" });
	expect(notes).toEqual([]);
});
