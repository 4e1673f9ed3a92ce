import { linkSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { parse } from "content-disposition";
import { describe, expect, it } from "vitest";
import type { ThreadDetail, ThreadFiles } from "../../../src/api/ui-api.ts";
import { fileRoute } from "../../../src/api/ui-routes.ts";
import { deliver } from "../../support/deliver.ts";
import { UiScene } from "../../support/ui-scene.ts";
import { until } from "../../support/until.ts";

describe("the files of a thread", () => {
	it("are checked by their bytes now: an edit, a loss and a link in their place show", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder, list } = await deliver(ui, { "a.md": "# a", "b.md": "b", "c.md": "c", "d/e.md": "e" });
		expect((await list())[0]?.files.map(({ relativePath, state }) => [relativePath, state])).toEqual(
			["a.md", "b.md", "c.md", "d/e.md"].map((path) => [path, "checked"]),
		);
		writeFileSync(join(folder, "a.md"), "# my own");
		rmSync(join(folder, "b.md"));
		rmSync(join(folder, "c.md"));
		symlinkSync("/etc/passwd", join(folder, "c.md"));
		renameSync(join(folder, "d"), join(folder, "elsewhere"));
		symlinkSync(join(folder, "elsewhere"), join(folder, "d"));
		const [run] = await list();
		expect(run?.files.map(({ state }) => state)).toEqual(["edited", "missing", "blocked", "blocked"]);
		expect(run?.files.slice(2)).toMatchObject([
			{ inPlace: "link", atBridge: true },
			{ inPlace: "above", atBridge: true },
		]);
		expect(run?.files[0]).toMatchObject({ sizeBytes: 3, sizeNow: 8 });
		expect((await ui.get(fileRoute(threadId, "run-1", "a.md", "inline"))).body).toBe("# my own");
		for (const path of ["b.md", "c.md", "d/e.md"]) {
			const { status, body } = await ui.get(fileRoute(threadId, "run-1", path, "inline"));
			// What the run delivered, as the bridge keeps it; never what a link leads to.
			expect([path, status, body]).toEqual([path, 200, path.at(-4)]);
		}
		ui.scene.bridge.onFile = () => 410;
		for (const path of ["c.md", "d/e.md"]) {
			const { status, body } = await ui.get(fileRoute(threadId, "run-1", path, "inline"));
			expect([path, status]).toEqual([path, 400]);
			expect(body).toMatch(/(A link is in its place|Something that isn’t a folder is where the file’s folder should be)/);
			expect(body).not.toContain("root:");
		}
	});

	it("an edit of the same size at the same moment is seen all the same", async () => {
		await using ui = await UiScene.open();
		const { folder, list } = await deliver(ui, { "a.md": "one" });
		expect((await list())[0]?.files[0]?.state).toBe("checked");
		writeFileSync(join(folder, "a.md"), "two");
		expect((await list())[0]?.files[0]?.state).toBe("edited");
	});

	it("of an earlier run are its own: what a later run replaced is kept and served", async () => {
		await using ui = await UiScene.open();
		const { threadId, list } = await deliver(ui, { "a.md": "old", "same.md": "same" }, { "a.md": "new" });
		const runs = await list();
		expect(runs.map(({ runId, current }) => [runId, current])).toEqual([
			["run-2", true],
			["run-1", false],
		]);
		expect(runs[1]?.files.map(({ state }) => state)).toEqual(["kept", "checked"]);
		expect((await ui.get(fileRoute(threadId, "run-1", "a.md", "inline"))).body).toBe("old");
		expect((await ui.get(fileRoute(threadId, "run-2", "a.md", "inline"))).body).toBe("new");
	});

	it("are what its runs delivered and nothing else: no path, no other thread's run, no traversal leads out", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder } = await deliver(ui, { "a.md": "a" });
		writeFileSync(join(folder, "mine.txt"), "not delivered");
		linkSync(join(folder, "mine.txt"), join(folder, "hard.txt"));
		const thread = encodeURIComponent(threadId);
		const paths = [
			"mine.txt",
			"hard.txt",
			"../a.md",
			"%2e%2e/%2e%2e/app/token",
			"..%2f..%2fapp%2fapp.sqlite",
			"a.md/",
			"/a.md",
			"a%00.md",
			"",
			".versions/x",
		];
		for (const path of paths) {
			const { status, body } = await ui.get(`/files/${thread}/run-1/${path}`);
			expect([path, status]).toEqual([path, path.startsWith("../") ? expect.any(Number) : 404]);
			expect(body).not.toContain("not delivered");
		}
		expect((await ui.get(`/files/another/run-1/a.md`)).status).toBe(404);
		expect((await ui.get(`/files/${thread}/run-9/a.md`)).status).toBe(404);
	});

	it("a failed run's files were never put into the folder, and its rejected ones come with reasons", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		ui.scene.bridge.onRun = (run) => void run.end("artifact_missing", { "half.md": "half" }, "REQUIRED_ARTIFACT_MISSING");
		const sent = await ui.scene.send("make a pdf");
		await ui.scene.end(sent);
		const { result } = await ui.call<ThreadFiles>("listFiles", { threadId: sent.threadId });
		const [run] = result.runs;
		expect(run).toMatchObject({
			syncStatus: "failed",
			files: [{ relativePath: "half.md", state: "unsaved", atBridge: true }],
			rejected: [],
			rejectedCount: 0,
		});
		await using page = await ui.page();
		await until("the state is there", () => page.seen.length > 0);
		expect(page.state.threads[0]).toMatchObject({ fileCount: 0, artifactCount: 0, collectedCount: 1 });
	});

	it("[T4-70] are those of the thread's own statement: lastArtifactSyncStatus and lastTaskArtifactRelativePaths", async () => {
		await using ui = await UiScene.open();
		const told = async (threadId: string) => {
			const { thread } = (await ui.call<ThreadDetail>("readThread", { threadId })).result;
			const run = (await ui.call<ThreadFiles>("listFiles", { threadId })).result.runs.find(({ current }) => current);
			const here = run?.files.filter(({ state }) => state === "checked" || state === "unlisted").map(({ relativePath }) => relativePath);
			return [thread.lastArtifactSyncStatus, thread.lastTaskArtifactRelativePaths, run?.syncStatus, here];
		};
		const many = Object.fromEntries(Array.from({ length: 203 }, (_, index) => [`${String(index).padStart(3, "0")}.md`, `${index}`]));
		const { threadId } = await deliver(ui, { "old.md": "old" }, many);
		expect(await told(threadId)).toEqual(["synced", Object.keys(many), "synced", Object.keys(many)]);
		ui.scene.bridge.onRun = (run) => void run.end("artifact_missing", { "half.md": "half" }, "REQUIRED_ARTIFACT_MISSING");
		await ui.scene.end(await ui.scene.send("more", threadId));
		expect(await told(threadId)).toEqual(["failed", [], "failed", []]);
	});

	it("that are not on this disk come from the bridge's copy, whole with its hash, and in ranges", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder } = await deliver(ui, { "a.txt": "0123456789" });
		rmSync(join(folder, "a.txt"));
		const route = fileRoute(threadId, "run-1", "a.txt", "inline");
		expect(await ui.get(route)).toMatchObject({ status: 200, body: "0123456789" });
		expect(await ui.get(route, { range: "bytes=3-5" })).toMatchObject({ status: 206, body: "345" });
		ui.scene.bridge.onFile = () => Buffer.from("0123456780");
		expect(await ui.get(route)).toMatchObject({ status: 500, body: expect.not.stringContaining("0123456780") });
		ui.scene.bridge.onFile = () => 410;
		expect(await ui.get(route)).toMatchObject({ status: 400, body: expect.stringContaining("ACP_HTTP_410") });
	});
});

describe("one file", () => {
	it("comes in ranges, with a mark that changes with it", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder } = await deliver(ui, { "a.txt": "0123456789" });
		const route = fileRoute(threadId, "run-1", "a.txt", "inline");
		const whole = await ui.get(route);
		expect(whole.headers).toMatchObject({ "accept-ranges": "bytes", "content-length": "10" });
		const etag = String(whole.headers.etag);
		const part = await ui.get(route, { range: "bytes=2-4" });
		expect([part.status, part.body, part.headers["content-range"]]).toEqual([206, "234", "bytes 2-4/10"]);
		expect((await ui.get(route, { range: "bytes=-3" })).body).toBe("789");
		// More than there is: all of it (RFC 9110, 14.1.2).
		expect(await ui.get(route, { range: "bytes=-100" })).toMatchObject({ status: 206, body: "0123456789" });
		expect((await ui.get(route, { range: "bytes=2-4", "if-range": '"another"' })).status).toBe(200);
		expect((await ui.get(route, { range: "bytes=0-1,4-5" })).body).toBe("0123456789");
		const beyond = await ui.get(route, { range: "bytes=10-" });
		expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, "bytes */10"]);
		expect((await ui.get(route, { "if-none-match": etag })).status).toBe(304);
		writeFileSync(join(folder, "a.txt"), "abcdefghij");
		expect((await ui.get(route, { "if-none-match": etag })).body).toBe("abcdefghij");
	});

	it("that is empty comes as nothing", async () => {
		await using ui = await UiScene.open();
		const { threadId } = await deliver(ui, { "a.md": "a", "empty.txt": "" });
		expect(await ui.get(fileRoute(threadId, "run-1", "empty.txt", "inline"))).toMatchObject({ status: 200, body: "" });
	});

	it("that is huge costs a reader who waits no memory here", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder } = await deliver(ui, { "huge.bin": "x" });
		truncateSync(join(folder, "huge.bin"), 4 * 1024 ** 3);
		const route = fileRoute(threadId, "run-1", "huge.bin", "download");
		const end = await ui.get(route, { range: "bytes=-4" });
		expect([end.status, end.body]).toEqual([206, "\0\0\0\0"]);
		const before = process.memoryUsage().arrayBuffers;
		const { promise, resolve, reject } = Promise.withResolvers<number>();
		const request = get(ui.url + route, { headers: { cookie: ui.cookie } }, (response) => {
			response.once("data", () => response.pause());
			response.once("data", () => resolve(Number(response.headers["content-length"])));
		}).on("error", reject);
		expect(await promise).toBe(4 * 1024 ** 3);
		let most = 0;
		let calm = 0;
		await until("its sending has come to a stand", () => {
			const now = process.memoryUsage().arrayBuffers;
			calm = now > most ? 0 : calm + 1;
			most = Math.max(most, now);
			return calm > 10;
		});
		expect(most - before).toBeLessThan(32 * 1024 ** 2);
		request
			.off("error", reject)
			.on("error", () => undefined)
			.destroy();
	});

	it("that an agent wrote as a page runs nothing: an origin of its own, no script, no network", async () => {
		await using ui = await UiScene.open();
		const page = "<script>alert(1)</script>";
		const { threadId } = await deliver(ui, {
			"a.html": page,
			"b.svg": `<svg xmlns="http://www.w3.org/2000/svg">${page}</svg>`,
			"c.xhtml": page,
			"d.js": page,
		});
		const html = await ui.get(fileRoute(threadId, "run-1", "a.html", "inline"));
		const policy = String(html.headers["content-security-policy"]);
		expect(policy).toMatch(/^sandbox; default-src 'none'/);
		expect(policy).not.toMatch(/allow-|script-src|connect-src|http|\*/);
		expect(html.headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "x-content-type-options": "nosniff" });
		expect((await ui.get(fileRoute(threadId, "run-1", "b.svg", "inline"))).headers["content-security-policy"]).toMatch(/^sandbox;/);
		expect((await ui.get(fileRoute(threadId, "run-1", "c.xhtml", "inline"))).headers["content-type"]).toBe("text/html; charset=utf-8");
		expect((await ui.get(fileRoute(threadId, "run-1", "d.js", "inline"))).headers["content-type"]).toBe("text/plain; charset=utf-8");
	});

	it.each([
		["a.md", "text/plain; charset=utf-8", "inline"],
		["a.ts", "text/plain; charset=utf-8", "inline"],
		["a.csv", "text/plain; charset=utf-8", "inline"],
		["a.png", "image/png", "inline"],
		["a.pdf", "application/pdf", "inline"],
		["a.mp4", "video/mp4", "inline"],
		["a.docx", "application/octet-stream", "attachment"],
		["a.swf", "application/octet-stream", "attachment"],
		["noend", "application/octet-stream", "attachment"],
	])("%s comes as %s, %s", async (path, type, disposition) => {
		await using ui = await UiScene.open();
		const { threadId } = await deliver(ui, { [path]: "bytes" });
		const { headers } = await ui.get(fileRoute(threadId, "run-1", path, "inline"));
		expect(headers["content-type"]).toBe(type);
		expect(parse(String(headers["content-disposition"]))).toEqual({ type: disposition, parameters: { filename: path } });
		const download = await ui.get(fileRoute(threadId, "run-1", path, "download"));
		expect(download.headers["content-disposition"]).toMatch(/^attachment;/);
	});

	it("keeps its name in a download, whatever characters it has", async () => {
		await using ui = await UiScene.open();
		const names = ['quo"te.bin', "naïve 漢字 🎉.bin", "a;b=c%20%0d%0a.bin", "'single'.bin", `${"x".repeat(240)}.bin`];
		const { threadId } = await deliver(ui, Object.fromEntries(names.map((name) => [`in/${name}`, "bytes"])));
		for (const name of names) {
			const { status, headers } = await ui.get(fileRoute(threadId, "run-1", `in/${name}`, "download"));
			expect([name, status]).toEqual([name, 200]);
			expect(parse(String(headers["content-disposition"])).parameters.filename).toBe(name);
		}
	});
});
