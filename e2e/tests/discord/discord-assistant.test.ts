import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { repositoryRoot } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import type { TemporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { type DiscordScene, type SharedDiscordScene, sharedDiscordScene } from "../../support/services/discord-scene.ts";
import { buttonsOf, type DiscordPost } from "../../support/services/fake-discord.ts";
import { receiptsOf } from "../../support/wire/receipts.ts";
import { rewriteStore } from "../../support/wire/rewritten-store.ts";

const KEY = "sk-ant-api03-fake";
const LIE = "I scheduled it, you will be reminded at 9.";
const lie = [{ text: LIE }];
const truth = [{ text: "Your reminder: " }, { receiptId: "$receipt(1)" }];
const inCalendar =
	'return await tools.calendar.createEvent({ title: "Standup", start: "2026-12-01T09:00:00Z", end: "2026-12-01T09:15:00Z" });';
const inReminders = (text: string) => `return await tools.reminders.remind({ text: "${text}", at: "2026-12-01T09:00:00Z" });`;

const REMINDERS = `import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@xworkmate/tool";
import { z } from "zod";
export const remind = defineTool({
	id: "reminders.item.create", risk: "write", policy: { default: "allow" },
	input: z.strictObject({ text: z.string(), at: z.string() }), output: z.strictObject({ at: z.string() }),
	describe: ({ text, at }) => \`Remind of "\${text}" at \${at}\`,
	handler: async ({ text, at }, ctx) => {
		if (text.includes("refuse")) throw new Error("The list of reminders is full.");
		appendFileSync(join(ctx.dataFolder, "reminders"), text + "\\n");
		return { at };
	},
});
`;

const Tools = z.object({ integrations: z.array(z.looseObject({ integration: z.string(), state: z.string() })) });

interface Scene extends DiscordScene {
	/** Says it, and what the model does: it runs the program, then answers, then again if it is asked to. */
	remind(program: string | undefined, ...answers: readonly (readonly object[])[]): Promise<string>;
	/** The post that ends the only run, and the run. */
	ended(text: string): Promise<{ readonly post: DiscordPost; readonly runId: string }>;
}

async function writeTools({ xworkmate }: TemporaryHome): Promise<void> {
	const folder = join(xworkmate, "tools", "reminders");
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, "tools.ts"), REMINDERS);
	await cp(join(repositoryRoot, "examples", "tools", "calendar"), join(xworkmate, "tools", "calendar"), { recursive: true });
}

let model: FakeModel;
let shared: SharedDiscordScene;
beforeAll(async () => {
	model = await startFakeModel();
	const environment = { ANTHROPIC_API_KEY: KEY, XWORKMATE_ANTHROPIC_URL: model.url };
	const settings = { ...environment, XWORKMATE_DEFAULT_PROVIDER: "", XWORKMATE_PARK_MS: "50" };
	shared = await sharedDiscordScene(settings, { providers: [unrulyAgent()], prepare: writeTools });
	// On a busy machine an import may take longer than it is allowed to.
	await waitUntil("the tools", 60_000, async () => {
		const { integrations } = Tools.parse(await shared.scene.bridge.client().rpc("xworkmate.tools.reload"));
		const active = integrations.filter(({ state }) => state === "active").map(({ integration }) => integration);
		return ["calendar", "reminders"].every((name) => active.includes(name)) || undefined;
	});
}, 120_000);
afterAll(async () => {
	await shared[Symbol.asyncDispose]();
	await model[Symbol.asyncDispose]();
});

/** A user in a channel of Discord, with a calendar, a list of reminders and the assistant, and no default agent. */
function scene(): Scene {
	const there = shared.next();
	return {
		...there,
		remind(program, ...answers) {
			const steps = answers.map((segments) => `ANSWER ${JSON.stringify(segments)}`);
			if (program !== undefined) steps.unshift(`TOOL execute ${JSON.stringify({ program })}`);
			return there.discord.say(`Remind me tomorrow at 9.\nFAKE:${steps.join(" ;; ")}`);
		},
		async ended(text) {
			const post = await there.discord.answered(text);
			const [run, ...others] = await there.runs();
			expect(others).toEqual([]);
			return { post, runId: String(run?.runId) };
		},
	};
}

/** What was done, as the bridge's own lines of a post say it: plain again. */
function quotedLines({ content }: DiscordPost): readonly string[] {
	const quoted = content.split("\n").filter((line) => line.startsWith("> ") && !line.startsWith("> XWorkmate wrote"));
	return quoted.map((line) => line.slice(2).replaceAll(/\\(.)/g, "$1"));
}

/** The canonical bytes of the run's activity; the command has the same, and the same words as a post. */
async function sameActivity({ bridge }: Scene, runId: string, post?: DiscordPost): Promise<string> {
	const { home, port, token } = bridge;
	const response = await fetch(`http://127.0.0.1:${port}/runs/${runId}/activity`, { headers: { authorization: `Bearer ${token}` } });
	const bytes = await response.text();
	expect((await runCommand(home, ["activity", runId, "--json"])).stdout).toBe(`${bytes}\n`);
	expect((await bridge.client().snapshot({ runId })).activity).toEqual(JSON.parse(bytes));
	const { stdout } = await runCommand(home, ["activity", runId]);
	const lines = stdout
		.trimEnd()
		.split("\n")
		.map((line) => line.trim());
	if (post !== undefined) expect(quotedLines(post)).toEqual(lines);
	return bytes;
}

it.each([
	["a calendar that asks", inCalendar, "calendar.events.create"],
	["a list of reminders that does not", inReminders("Standup"), "reminders.item.create"],
])(
	"[T1-30][T1-56][T1-65][T1-67][T1-91][T1-97] with no page, a reminder is said to be set when %s has set it",
	async (_what, program, toolId) => {
		await using there = scene();
		const { discord, bridge } = there;
		await there.remind(program, truth);
		if (program === inCalendar) await discord.click(await discord.button("Allow once"));
		const { post, runId } = await there.ended("Your reminder");
		expect(post.content).toContain("Standup");
		const activity = JSON.parse(await sameActivity(there, runId, post));
		expect(activity).toMatchObject({ completed: 1, items: [{ status: "succeeded", toolId }] });
		expect(quotedLines(post)[0]).toBe("1 action completed.");
		const snapshot = await bridge.client().snapshot({ runId });
		expect(snapshot).toMatchObject({ provider: { providerId: "assistant" }, grounding: { state: "grounded" } });
	},
);

it("[T1-39][T1-66][T1-91] a reminder that failed is not said to be set, whatever the model says", async () => {
	await using there = scene();
	await there.remind(inReminders("refuse"), lie, lie);
	const { post, runId } = await there.ended("Couldn't verify");
	expect(post.content).not.toContain("I scheduled it");
	expect(JSON.parse(await sameActivity(there, runId, post))).toMatchObject({ completed: 0, items: [{ status: "failed" }] });
	expect(quotedLines(post)).toContain("Not done:");
});

it("[T1-39][T1-66][T1-88][T1-91][T1-96] a reminder that was denied is not said to be set, whatever the model says", async () => {
	await using there = scene();
	const { discord } = there;
	await there.remind(inCalendar, lie, lie);
	await discord.click(await discord.button("Deny"));
	const { post, runId } = await there.ended("Couldn't verify");
	expect(post.content).not.toContain("I scheduled it");
	expect(quotedLines(post)).toContain("Not done, because it was denied:");
	const activity = JSON.parse(await sameActivity(there, runId, post));
	expect(activity).toMatchObject({ completed: 0, items: [{ status: "denied", approval: { by: "discord:mira (200)" } }] });
});

it("[T1-66][T1-91] a reminder that waits for an answer is said to wait, and nothing else is said", async () => {
	await using there = scene();
	const { discord } = there;
	await there.remind(inCalendar, truth);
	await discord.button("Allow once");
	const waiting = await discord.post("that it waits", ({ content }) => content.includes("Waiting for an answer to 1 request"));
	expect(waiting.content).not.toMatch(/remind|schedul|completed/i);
	const [run] = await there.runs();
	const parked = await waitUntil("the call to wait in the record", 20_000, async () => {
		const bytes = await sameActivity(there, String(run?.runId));
		return bytes.includes('"pending"') ? bytes : undefined;
	});
	expect(JSON.parse(parked)).toMatchObject({ completed: 0, items: [{ status: "pending" }] });
});

it("[T1-05][T1-91][T1-96] a reminder for which no tool was called is not promised", async () => {
	await using there = scene();
	await there.remind(undefined, lie, lie);
	const { post, runId } = await there.ended("Couldn't verify");
	expect(post.content).not.toContain("I scheduled it");
	expect(quotedLines(post)).toEqual(["0 actions completed."]);
	expect(JSON.parse(await sameActivity(there, runId, post))).toMatchObject({ completed: 0, items: [] });
});

it("[T1-93][T1-97] a bridge that is killed while the model is asked, and again while the user is, sets one reminder and posts one answer", async () => {
	await using there = scene();
	const { discord, bridge } = there;
	const [asked, connected] = [(await model.requests()).length, await discord.connections()];
	await model.tell({ secret: KEY, stream: "silent" });
	await there.remind(inCalendar, truth);
	await waitUntil("a request to the model", 20_000, async () => (await model.requests()).at(asked));
	await bridge.kill("SIGKILL");
	await model.tell({ secret: KEY });
	await bridge.start();
	await discord.button("Allow once");
	await bridge.kill("SIGKILL");
	await bridge.start();
	await discord.connected(connected + 2);
	await discord.click(await discord.button("Allow once"));
	const { post, runId } = await there.ended("Your reminder");
	expect(JSON.parse(await sameActivity(there, runId, post))).toMatchObject({ completed: 1, items: [{ status: "succeeded" }] });
	const trail = (await receiptsOf(bridge.client(), runId)).map(({ type }) => type);
	expect(trail.filter((type) => type === "tool.call.started")).toHaveLength(1);
	const posts = await discord.posts();
	expect(posts).toHaveLength(2);
	expect(posts.flatMap(buttonsOf)).toEqual([]);
});

it("[T1-27][T1-91] the digits in an answer on Discord find a store that was rewritten whole, which vouches for itself", async () => {
	await using there = scene();
	const { bridge } = there;
	await there.remind(inReminders("Standup"), truth);
	const { post } = await there.ended("Your reminder");
	const [, digits = ""] = /receipts?, ([0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{4})/.exec(post.content) ?? [];
	const verify = (...more: readonly string[]) => runCommand(bridge.home, ["receipts", "verify", ...more]);
	expect(await verify("--head", digits)).toMatchObject({
		code: 0,
		stdout: expect.stringContaining("The receipts include the hash that you saved."),
	});
	await bridge.kill("SIGKILL");
	await rewriteStore(bridge.home);
	await bridge.start();
	await waitUntil("a store that vouches for itself", 20_000, async () => ((await verify()).code === 0 ? true : undefined));
	expect(await verify("--head", digits)).toMatchObject({
		code: 1,
		stdout: expect.stringContaining("The hash that you saved wasn't found: the whole store may have been rewritten"),
	});
});
