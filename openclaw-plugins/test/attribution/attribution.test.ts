import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attributeFile, isExpectedFile } from "../../src/attribution/attribute-file.ts";
import { changedWithin, isOlder } from "../../src/attribution/changed-within.ts";
import { noteReply, noteReportedTask, noteToolCall } from "../../src/attribution/note-evidence.ts";
import { pathsInText } from "../../src/attribution/paths-in-text.ts";
import { pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

async function twoRuns() {
	const rig = await pluginRig();
	const media = join(rig.state, "media", "tool-image-generation");
	mkdirSync(media, { recursive: true });
	const refs = { one: runRef(1, 1), two: runRef(2, 2) } as const;
	const scopes = { one: rig.prepare(refs.one).artifactDirectory, two: rig.prepare(refs.two).artifactDirectory };
	for (const { runId } of Object.values(refs)) rig.registry.change(runId, { kind: "begun" });
	const call = (who: keyof typeof refs, toolName: string, params: object, result: unknown) =>
		noteToolCall({ toolName, params, runId: refs[who].runId, result }, { sessionKey: refs[who].sessionKey }, rig.registry, rig.places);
	const made = (name: string) => {
		writeFileSync(join(media, name), name);
		return join(media, name);
	};
	const collect = async (who: keyof typeof refs, more = {}) => {
		rig.registry.change(refs[who].runId, { kind: "ended", state: "completed" });
		const result = await rig.collector.collectAndSnapshotXWorkmateArtifacts({ ...refs[who], waitMs: 0, ...more });
		const paths = rig.sealed.require(rig.registry.require(refs[who])).items.map(({ relativePath }) => relativePath);
		return { paths, rejected: result.rejected, pending: result.pendingBackgroundTasks };
	};
	return { ...rig, refs, scopes, media, call, made, collect, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe("files that a run's tools leave elsewhere", () => {
	it("[T4-26] come into the scope of the run whose tool made them, and of no other", async () => {
		await using runs = await twoRuns();
		const [first, second] = [runs.made("first one.png"), runs.made("second.png")];
		runs.call("one", "draw", { name: "x" }, { content: [{ type: "text", text: `made it\nMEDIA:${first}` }] });
		runs.call("two", "draw", {}, { details: { path: second } });
		runs.call("two", "show_media", {}, { details: { path: first } });
		runs.call("two", "exec", { command: `ls ${runs.media}` }, { content: [{ type: "text", text: `${first}\n${second}` }] });
		expect(await runs.collect("one")).toMatchObject({ paths: ["first one.png"], rejected: [] });
		expect(await runs.collect("two")).toMatchObject({
			paths: ["second.png"],
			rejected: [{ path: "media/first one.png", reason: "unattributed" }],
		});
	});

	it("are not the run's when they are older, links, or only read", async () => {
		await using runs = await twoRuns();
		const target = runs.made("target.png");
		symlinkSync(target, join(runs.media, "link.png"));
		runs.call("one", "read", { path: target }, { content: [{ type: "text", text: target }] });
		runs.call("one", "draw", {}, { details: { path: join(runs.media, "link.png") } });
		runs.call("one", "draw", {}, { details: { path: `${runs.media}/../../xworkmate/runs/run-1.json` } });
		runs.call("one", "draw", {}, { details: { path: "/etc/passwd" } });
		expect(await runs.collect("one")).toMatchObject({ paths: [], rejected: [] });
	});

	it("count by when they were really changed, not by the time they carry", async () => {
		await using runs = await twoRuns();
		const unpacked = runs.made("old.png");
		utimesSync(unpacked, new Date(0), new Date(0));
		runs.call("one", "unpack", {}, { details: { path: unpacked } });
		expect((await runs.collect("one")).paths).toEqual(["old.png"]);
	});

	it("are refused by name when the run's own tool wrote them beside the scope", async () => {
		await using runs = await twoRuns();
		writeFileSync(join(runs.workspace, "report.md"), "x");
		runs.call("one", "write", { path: "report.md", content: "x" }, {});
		noteReply(runs.registry.require(runs.refs.one), `done\nMEDIA:${join(runs.workspace, "report.md")}`, runs.registry, runs.places);
		expect(await runs.collect("one")).toMatchObject({ paths: [], rejected: [{ path: "report.md", reason: "unattributed" }] });
	});

	it("give way to a file of their name that the run put into the scope", async () => {
		await using runs = await twoRuns();
		const made = runs.made("same.png");
		writeFileSync(join(runs.scopes.one, "same.png"), "the run's own");
		runs.call("one", "draw", {}, { details: { path: made } });
		expect(await runs.collect("one")).toMatchObject({ paths: ["same.png"], rejected: [{ path: "same.png", reason: "name_collision" }] });
	});

	it("are unattributed when they were there before, unless a file tool of the run wrote them", () => {
		const span = { preparedAt: "2026-01-01T00:01:00.000Z", endedAt: "2026-01-01T00:02:00.000Z" };
		const at = (time: string) => BigInt(Date.parse(`2026-01-01T${time}.000Z`));
		const touched = { birthtimeMs: at("00:00:30"), ctimeMs: at("00:01:30") };
		const made = { birthtimeMs: at("00:01:30"), ctimeMs: at("00:01:30") };
		expect([touched, made, { ...touched, birthtimeMs: 0n }].map((stat) => isOlder(stat, span))).toEqual([true, false, false]);
		expect([touched, made].map((stat) => changedWithin(stat, span))).toEqual([true, true]);
		const media = { place: "media", by: "reply", isOfThisTime: true, isClaimed: false, exclusive: true, isOwnTemporary: false } as const;
		expect([true, false].map((older) => attributeFile({ ...media, isOlder: older }))).toEqual(["unattributed", "bring"]);
		const named = { isOfThisTime: true, exclusive: true, isNamed: true };
		expect(isExpectedFile({ ...named, isOlder: true, isWritten: false })).toBe(false);
		expect(isExpectedFile({ ...named, isOlder: true, isWritten: true })).toBe(true);
		expect(isExpectedFile({ ...named, isOlder: false, isWritten: false })).toBe(true);
		expect(isExpectedFile({ ...named, isOlder: true, isWritten: true, isOfThisTime: false })).toBe(false);
	});

	it("do not count where a command of another run names them in this run's scope, and meet no requirement", async () => {
		await using runs = await twoRuns();
		for (const name of ["mine.md", "theirs.md", "refused.md"]) writeFileSync(join(runs.scopes.one, name), name);
		runs.call("two", "exec", { command: `echo theirs > ${join(runs.scopes.one, "theirs.md")}` }, {});
		runs.registry.live(runs.refs.two.runId)?.refused.add("c-2");
		const refused = {
			toolName: "exec",
			params: { command: `rm ${join(runs.scopes.one, "refused.md")}` },
			runId: "run-2",
			toolCallId: "c-2",
		};
		noteToolCall(refused, { sessionKey: runs.refs.two.sessionKey }, runs.registry, runs.places);
		expect(await runs.collect("one", { requiredGlobs: ["*.md"] })).toMatchObject({
			paths: ["mine.md", "refused.md"],
			rejected: [{ path: "theirs.md", reason: "unattributed" }],
		});
	});

	it("lie in an expected folder when this run named them", async () => {
		await using runs = await twoRuns();
		mkdirSync(join(runs.workspace, "reports"));
		for (const name of ["mine.md", "theirs.md"]) writeFileSync(join(runs.workspace, "reports", name), name);
		runs.call("one", "write", { path: "reports/mine.md", content: "" }, {});
		expect(await runs.collect("one", { expectedArtifactDirs: ["reports", "missing", "tasks"] })).toMatchObject({
			paths: ["mine.md"],
			rejected: [{ path: "theirs.md", reason: "unattributed" }],
		});
	});
});

describe("background tasks", () => {
	it("[T4-26] are waited for until the gateway says which files they made", async () => {
		await using runs = await twoRuns();
		runs.call("one", "image_generate", { prompt: "x" }, { details: { async: true, status: "started", taskId: "task-1" } });
		runs.tasks.push({ id: "task-1", status: "running" });
		const collected = runs.collect("one", { waitMs: 5000 });
		const made = runs.made("late.png");
		const reported = {
			sessionKey: runs.refs.one.sessionKey,
			inputProvenance: { kind: "inter_session", sourceTool: "image_generate", sourceSessionKey: "image_generate:task-1" },
		};
		noteReportedTask(
			{ prompt: `Generated media:\nMEDIA:${made}\n` },
			{ ...reported, sessionKey: runs.refs.two.sessionKey },
			runs.registry,
			runs.places,
		);
		noteReportedTask({ prompt: `Generated media:\nMEDIA:${made}\n` }, reported, runs.registry, runs.places);
		expect(await collected).toMatchObject({ paths: ["late.png"], pending: 0 });
	});

	it("are named as pending when the wait is over first", async () => {
		await using runs = await twoRuns();
		runs.call("one", "image_generate", { prompt: "x" }, { details: { async: true, status: "started", taskId: "task-1" } });
		runs.tasks.push({ id: "task-1", status: "running" });
		expect(await runs.collect("one", { waitMs: 300 })).toMatchObject({ paths: [], pending: 1 });
	});
});

describe("the paths in a text", () => {
	it("are found after MEDIA: and in quotes, blanks included, and elsewhere up to a blank", () => {
		const name = fc.stringMatching(/^[a-z0-9][a-z0-9 ._-]{0,20}[a-z0-9]$/);
		fc.assert(
			fc.property(name, fc.constantFrom("MEDIA:%", 'path="%" type=x', "`%`", "it is (%) there"), (file, form) => {
				expect(pathsInText(`before\n${form.replace("%", () => `/gateway/media/${file}`)}\nafter`, ["/gateway/media"])).toContain(
					`/gateway/media/${file}`,
				);
			}),
		);
		expect(pathsInText("saved to /gateway/media/a.png, and to /other/b.png.", ["/gateway/media"])).toContain("/gateway/media/a.png");
		expect(pathsInText("/gateway/mediation/a.png", ["/gateway/media"])).toEqual([]);
	});

	it("brings nothing that another run claims, whatever else is true", () => {
		const facts = fc.record({
			place: fc.constantFrom("scope", "workspace", "media", "temporary", "elsewhere"),
			by: fc.constantFrom("write", "exec", "result", "reply"),
			isOfThisTime: fc.boolean(),
			isOlder: fc.boolean(),
			isClaimed: fc.constant(true),
			exclusive: fc.boolean(),
			isOwnTemporary: fc.boolean(),
		});
		fc.assert(fc.property(facts, (claimed) => attributeFile(claimed) !== "bring"));
	});
});
