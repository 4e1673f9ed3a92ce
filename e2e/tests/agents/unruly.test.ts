import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { follow, settle } from "../../support/bridge/settle.ts";
import type { BareClient } from "../../support/wire/bare-client.ts";
import { refused } from "../../support/wire/refused.ts";
import { expectServedBytes, sha256Of } from "../../support/wire/served-artifacts.ts";
import { turn } from "../../support/wire/turn.ts";

let bridge: BridgeProcess;
let client: BareClient;

beforeAll(async () => {
	bridge = await startBridge({
		providers: [
			unrulyAgent(),
			unrulyAgent("locked-out", { UNRULY_AUTH: "required" }),
			unrulyAgent("dead-at-start", { UNRULY_HANDSHAKE: "die" }),
			unrulyAgent("garbled", { UNRULY_HANDSHAKE: "garbage" }),
		],
		env: { XWORKMATE_MAX_ACTIVE_RUNS: "16", XWORKMATE_HEARTBEAT_MS: "200" },
	});
	client = bridge.client();
});
afterAll(() => bridge[Symbol.asyncDispose]());

const unruly = (prompt: string, more: Partial<Parameters<typeof turn>[0]> = {}) =>
	turn({ prompt: `UNRULY:${prompt}`, providerId: "unruly", ...more });

it.each<[string, string, Record<string, unknown>]>([
	["ends silent", "END_SILENT", { status: "failed", code: "NO_OUTPUT" }],
	["says white space alone", "SAY    ", { status: "failed", code: "NO_OUTPUT" }],
	["thinks and says nothing", "THINK about it", { status: "failed", code: "NO_OUTPUT" }],
	["dies with a code", "SAY so far ;; STDERR last words ;; DIE 3", { status: "failed", code: "PROVIDER_EXITED" }],
	["dies with code 0", "SAY so far ;; DIE 0", { status: "failed", code: "PROVIDER_EXITED" }],
	["is killed", "SAY so far ;; DIE SIGKILL", { status: "failed", code: "PROVIDER_EXITED" }],
	["refuses", "SAY no ;; REFUSE", { status: "failed", code: "REFUSED" }],
	["runs out of tokens", "SAY half ;; MAX_TOKENS", { status: "failed", code: "LIMIT_EXCEEDED" }],
	["runs out of turns", "SAY half ;; MAX_TURNS", { status: "failed", code: "LIMIT_EXCEEDED" }],
	["answers with an error", "SAY half ;; ERROR -32603 the model is gone", { status: "failed", code: "PROVIDER_ERROR" }],
	["asks for a login", "AUTH_REQUIRED", { status: "failed", code: "PROVIDER_AUTH_REQUIRED" }],
	["was stopped by somebody else", "SAY half ;; CANCELLED", { status: "cancelled", code: "CANCELLED_REMOTELY" }],
	[
		"speaks garbage between its messages",
		"SAY before ;; GARBAGE 20 ;; SAY after",
		{ status: "completed", output: { text: "beforeafter" } },
	],
	["calls what it was not offered", "CALL fs/write_text_file", { status: "completed" }],
])("gives an agent that %s its named end", async (_, prompt, expected) => {
	const { snapshot } = await settle(client, unruly(prompt));
	expect(snapshot).toMatchObject({ success: expected.status === "completed", ...expected });
	if (expected.status === "failed") expect(snapshot.message?.length).toBeGreaterThan(0);
});

interface KnownProvider {
	readonly providerId: string;
	readonly answeredAt?: string;
	readonly failedRun?: { readonly problem: { readonly code: string } };
}

it("has answered, for the bridge, once a run of it succeeded, until one fails because of it, and not if it never did", async () => {
	await settle(client, unruly("SAY hello"));
	const known = async (id: string) => {
		const { providers } = (await client.rpc("acp.capabilities", {})) as { readonly providers: readonly KnownProvider[] };
		return providers.find(({ providerId }) => providerId === id);
	};
	await expect.poll(async () => (await known("unruly"))?.answeredAt).toMatch(/^\d{4}-/);
	expect((await known("locked-out"))?.answeredAt).toBeUndefined();
	await settle(client, unruly("DIE 3"));
	await expect.poll(async () => (await known("unruly"))?.failedRun?.problem.code).toBe("PROVIDER_EXITED");
	expect((await known("unruly"))?.answeredAt).toBeUndefined();
});

it("keeps the dead agent's last words", async () => {
	const { snapshot } = await settle(client, unruly("STDERR the disk is full ;; DIE 3"));
	expect(snapshot).toMatchObject({ code: "PROVIDER_EXITED", message: expect.stringContaining("the disk is full") });
});

it.each([
	["locked-out", "PROVIDER_AUTH_REQUIRED", "login"],
	["dead-at-start", "PROVIDER_EXITED", "no licence found"],
])("names why %s cannot begin", async (providerId, code, words) => {
	const { snapshot } = await settle(client, turn({ prompt: "hello", providerId }));
	expect(snapshot).toMatchObject({ status: "failed", code, message: expect.stringMatching(new RegExp(words, "i")) });
});

it("survives an agent that speaks none of the protocol, and one that sends a line without end", async () => {
	const [garbled, endless] = await Promise.all([
		settle(client, turn({ prompt: "hello", providerId: "garbled" })),
		settle(client, unruly(`HUGE_LINE ${100 * 1024 * 1024}`)),
	]);
	expect(garbled.snapshot.status).toBe("failed");
	expect(endless.snapshot.status).toBe("failed");
});

it("delivers what lies in the scope, and refuses links and special files by name", async () => {
	const secret = join(bridge.home.path, "secret.txt");
	await writeFile(secret, "secret");
	const steps = [
		"SYMLINK link.txt /etc/passwd",
		"SYMLINK folder /etc",
		`HARDLINK hard.txt ${secret}`,
		"FIFO pipe.txt",
		"WRITE a/good.txt good",
		"SAY ok",
	];
	const { snapshot } = await settle(client, unruly(steps.join(" ;; ")));
	expect(snapshot.artifacts.items.map(({ relativePath }) => relativePath)).toEqual(["a/good.txt"]);
	expect(snapshot.artifacts.items[0]?.sha256).toBe(sha256Of("good"));
	expect(Object.fromEntries(snapshot.rejectedArtifacts.map(({ path, reason }) => [path, reason]))).toEqual({
		"link.txt": "symlink",
		folder: "symlink",
		"hard.txt": "hard_link",
		"pipe.txt": "special_file",
	});
	for (const path of ["link.txt", "hard.txt", "pipe.txt", "folder/passwd"]) {
		expect((await client.http({ path: `/artifacts/${snapshot.runId}/${path}` })).status).toBe(404);
	}
});

it("refuses reserved and colliding names, and files outside the scope do not count", async () => {
	const steps = [
		"WRITE .xworkmate/manifest.json {}",
		"WRITE .versions/x x",
		"WRITE Same.txt 1",
		"WRITE same.TXT 2",
		"WRITE ../../../outside.txt o",
		"SAY ok",
	];
	const { snapshot } = await settle(client, unruly(steps.join(" ;; ")));
	const rejected = snapshot.rejectedArtifacts.map(({ reason }) => reason);
	expect(rejected).toContain("reserved_name");
	expect(rejected).toContain("name_collision");
	expect(snapshot.artifacts.items.every(({ relativePath }) => /^same\.txt$/i.test(relativePath))).toBe(true);
});

it("[T4-30] takes a file for delivered when it is there, never when it is named", async () => {
	const claim = unruly("SAY I wrote report.pdf", { required: ["*.pdf"] });
	const claimed = await settle(client, claim);
	expect(claimed.snapshot).toMatchObject({ status: "artifact_missing", code: "REQUIRED_ARTIFACT_MISSING", success: false });
	expect(claimed.snapshot.message).toContain("*.pdf");
	const empty = await settle(client, unruly("SAY done", { requiresExport: true }));
	expect(empty.snapshot).toMatchObject({ status: "artifact_missing", code: "NO_EXPORTED_ARTIFACTS" });
	const partial = await settle(client, unruly("WRITE notes.md text ;; SAY done", { required: ["*.pdf"] }));
	expect(partial.snapshot).toMatchObject({ status: "artifact_missing", artifacts: { count: 1 } });
	const met = await settle(client, unruly("WRITE deep/report.pdf text ;; SAY done", { required: ["*.pdf"] }));
	expect(met.snapshot).toMatchObject({ status: "completed", success: true });
});

it("[T4-31] rejects an empty file where one is required", async () => {
	const { snapshot } = await settle(client, unruly("WRITE report.pdf ;; SAY done", { required: ["*.pdf"] }));
	expect(snapshot).toMatchObject({ status: "artifact_missing", rejectedArtifacts: [{ path: "report.pdf", reason: "empty_required" }] });
});

it("continues the same conversation of the same agent", async () => {
	const first = await settle(client, unruly("SESSION"));
	const { threadId } = first.snapshot;
	const second = await settle(client, unruly("SESSION", { threadId }), { method: "session.message" });
	const [one, two] = [first, second].map(({ snapshot }) => snapshot.output?.text ?? "");
	expect(one).toMatch(/^session \S+ prompt 1 pid \d+$/m);
	expect(two?.trim()).toBe(one?.trim().replace("prompt 1", "prompt 2"));
	const anew = await settle(client, unruly("SESSION", { threadId }));
	expect(anew.snapshot.output?.text).toContain("prompt 1");
});

it("[T4-76] [T4-77] tells the agent the context, where files belong, and the person's words; shows none of it", async () => {
	const context = "TaskThread workspace context: in $XWORKMATE_ARTIFACT_DIRECTORY";
	const { snapshot, updates } = await settle(client, unruly("BLOCKS", { more: { workspaceContext: context } }));
	const blocks = snapshot.output?.text ?? "";
	expect(blocks).toContain("UNRULY:BLOCKS");
	expect(blocks).not.toContain("$XWORKMATE_ARTIFACT_DIRECTORY");
	expect(blocks).toContain(`/${snapshot.artifactScope}`);
	expect(blocks.split("Final files of this task belong in this directory")).toHaveLength(2);
	expect(JSON.stringify(await client.rpc("xworkmate.tasks.list", {}))).not.toContain("TaskThread workspace context");
	expect(
		updates
			.slice(0, 2)
			.map(({ update }) => JSON.stringify(update))
			.join(""),
	).not.toContain("workspace context");
});

it("closes a reader that does not read, harms nobody, and lets it resume", async () => {
	const params = unruly("SAY begin ;; SLOW 5 50 ;; FLOOD 1500 16384 ;; SLOW 5 50 ;; SAY end");
	const slow = await client.stream("session.start", params);
	const { runId } = await slow.until("the first update", () => true);
	slow.pause();
	const prompt = await client.stream("xworkmate.tasks.subscribe", { runId, afterSeq: 0 });
	const read = await follow(client, prompt);
	expect(read.snapshot).toMatchObject({ status: "completed", output: { truncated: true } });
	expect(read.drops).toEqual([]);
	slow.resume();
	const resumed = await follow(client, slow);
	expect(resumed.drops.length).toBeGreaterThanOrEqual(1);
	expect(resumed.updates).toEqual(read.updates);
	expect(resumed.snapshot.artifacts).toEqual(read.snapshot.artifacts);
});

it("stops an agent that floods beyond the bound of a run's log", async () => {
	await using small = await startBridge({ providers: [unrulyAgent()], env: { XWORKMATE_RUN_LOG_BYTES: "1000000" } });
	const { snapshot } = await settle(small.client(), unruly("FLOOD 100000 4096"));
	expect(snapshot).toMatchObject({ status: "failed", code: "LIMIT_EXCEEDED" });
	expect((await settle(small.client(), unruly("SAY still here"))).snapshot.status).toBe("completed");
});

it("serves the whole output where the snapshot holds its beginning", async () => {
	const { snapshot } = await settle(client, unruly("FLOOD 40 16384"));
	expect(snapshot.output).toMatchObject({ truncated: true, totalBytes: 40 * 16_384 });
	expect(Buffer.byteLength(snapshot.output?.text ?? "")).toBeLessThanOrEqual(256 * 1024);
	const whole = await client.http({ path: `/runs/${snapshot.runId}/output` });
	expect([whole.status, whole.body.length]).toEqual([200, 40 * 16_384]);
});

it("[T4-02] serves what was accepted, whatever the agent does to its workspace later", async () => {
	const { snapshot } = await settle(client, unruly("WRITE report.md first ;; SAY done"));
	const workspace = /(\/\S.*\/tasks\/\S+)/;
	const told = await settle(client, unruly("BLOCKS", { threadId: snapshot.threadId }), { method: "session.message" });
	expect(told.snapshot.output?.text).toMatch(workspace);
	const scope = snapshot.artifactScope;
	const root = new RegExp(`(/[^"\\\\]*?)/${scope.split("/").slice(0, 2).join("/")}`).exec(told.snapshot.output?.text ?? "")?.[1] ?? "";
	await writeFile(join(root, scope, "report.md"), "changed behind the bridge's back");
	const { files } = await expectServedBytes(client, snapshot);
	expect(files).toMatchObject([{ path: "report.md", sha256: sha256Of("first") }]);
});

it("refuses a provider that is not there, with the way to get it", async () => {
	const refusal = await refused(client.rpc("session.start", turn({ prompt: "hello", providerId: "goose" })));
	expect(refusal.data).toMatchObject({ code: "PROVIDER_UNAVAILABLE", fix: expect.stringMatching(/\S/) });
});
