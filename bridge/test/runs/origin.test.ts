import { OriginId, TaskInput } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { Core, ended, say } from "./core-fixture.ts";
import { deliver, speak } from "./plays.ts";

const plan = { kind: "plan", id: OriginId.parse("weekly report") } as const;

it("keeps who started a run with its intent: in the snapshot, in lists, and over a restart", async () => {
	await using core = await Core.open(deliver({ "report.md": "# hello" }));
	const runId = await core.submit("t1", { origin: plan });
	expect(await core.settled(runId)).toMatchObject({ status: "completed", origin: plan });
	await core.crash();
	expect(await core.service.snapshot(runId)).toMatchObject({ origin: plan });
	const { items } = await core.service.list({ limit: 10 });
	expect(items).toMatchObject([{ runId, origin: plan }]);
});

it("says nothing of an origin that was not given, and takes the same turn from another origin as the same run", async () => {
	await using core = await Core.open(speak);
	const runId = await core.submit("t1");
	expect(await core.settled(runId)).not.toHaveProperty("origin");
	expect(await core.submit("t1", { origin: plan })).toBe(runId);
	expect(await core.service.snapshot(runId)).not.toHaveProperty("origin");
});

it("judges a message of a plan's run as one, and that of another run as its answer", async () => {
	const text = "Notes.\n<deliverable>\nThe bridge was closed.\n</deliverable>";
	await using core = await Core.open(async (_turn, sink) => {
		await say(sink, text);
		return ended;
	});
	const [planned, asked] = [await core.submit("t1", { origin: plan }), await core.submit("t2")];
	expect(await core.settled(planned)).not.toHaveProperty("grounding");
	expect(await core.settled(asked)).toMatchObject({ grounding: { problems: [{ start: text.indexOf("The bridge") }] } });
});

it("tells what a run was asked, without what only its runtime reads", async () => {
	await using core = await Core.open(speak);
	const attachment = { name: "a.txt", mediaType: "text/plain", sizeBytes: 2, sha256: SHA_OF_HI };
	const runId = await core.submit("t1", {
		prompt: "write a report",
		origin: plan,
		workspaceContext: "a context of the runtime's",
		attachments: [{ ...attachment, base64: "aGk=" }],
	});
	const input = await core.service.input({ runId });
	expect(TaskInput.parse(input)).toEqual(input);
	expect(input).toMatchObject({ runId, prompt: "write a report", origin: plan, attachments: [attachment] });
	expect(input.routing).toEqual({ executionTarget: "agent", providerId: expect.any(String) });
	expect(JSON.stringify(input)).not.toContain("a context of the runtime's");
	expect(JSON.stringify(input)).not.toContain("aGk=");
});

it("tells whether a run started a new conversation with its agent", async () => {
	await using core = await Core.open(speak);
	const first = await core.submit("t1");
	await core.settled(first);
	expect(await core.service.input({ runId: first })).toMatchObject({ fresh: true });
	const next = await core.submit("t2", {}, "session.message");
	expect(await core.service.input({ runId: next })).not.toHaveProperty("fresh");
});

it("tells readers of all changes of a run's beginning and end, and has them to read by then", async () => {
	await using core = await Core.open(speak);
	const { changes } = core.service;
	const seen: Promise<readonly string[]>[] = [];
	const stop = changes.onChanged(() => {
		const read = changes.read(undefined, 10);
		seen.push(read.then(({ items }) => items.map(({ change }) => (change.kind === "run" ? change.run.status : change.kind))));
	});
	await core.settled(await core.submit("t1", { origin: plan }));
	stop();
	const statuses = (await Promise.all(seen)).flat();
	// Its start is written with its intent.
	expect(statuses[0]).toBe("running");
	expect(statuses.at(-1)).toBe("completed");
	const heard = seen.length;
	await core.settled(await core.submit("t2"));
	expect(seen).toHaveLength(heard);
});

const SHA_OF_HI = "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4";
