import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { appendFile, rm, truncate, writeFile } from "node:fs/promises";
import { Manifest, type RunId } from "@xworkmate/contracts";
import fc from "fast-check";
import { extract } from "tar-stream";
import { expect, it, vi } from "vitest";
import { type BridgeUnderTest, startBridge } from "../bridge-under-test.ts";
import { errorCode, exchange, json, respond } from "../wire-client.ts";

const bound = { timeout: 5_000, interval: 5 };
const big = Buffer.alloc(3_000_000, "0123456789abcdef");
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

const get = (bridge: BridgeUnderTest, path: string, headers: Record<string, string> = {}, method = "GET") =>
	exchange(bridge, { method, path, headers });

function linkOf(path: string): string {
	try {
		return readlinkSync(path);
	} catch {
		// The descriptor of the listing itself.
		return "";
	}
}

async function untar(bytes: Buffer): Promise<[string, Buffer][]> {
	const entries: [string, Buffer][] = [];
	const tar = extract();
	tar.end(bytes);
	for await (const entry of tar) {
		const chunks: Buffer[] = [];
		for await (const chunk of entry) if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
		entries.push([entry.header.name, Buffer.concat(chunks)]);
	}
	return entries;
}

it("[T4-29] serves one file with its hash as ETag, as an attachment that nobody sniffs", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.withArtifacts({ "out/Größe 1%.html": "<b>hi</b>", "big.bin": big });
	const path = `/artifacts/${runId}/out/Gr%C3%B6%C3%9Fe%201%25.html`;
	const answer = await get(bridge, path);
	expect([answer.status, answer.body.toString()]).toEqual([200, "<b>hi</b>"]);
	expect(answer.headers).toMatchObject({
		"content-type": "text/html",
		"content-length": "9",
		etag: `"${sha256(Buffer.from("<b>hi</b>"))}"`,
		"accept-ranges": "bytes",
		"x-content-type-options": "nosniff",
		"content-disposition": `attachment; filename="Gr??e 1%.html"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201%25.html`,
	});
	expect((await get(bridge, path, { "if-none-match": answer.headers.etag ?? "" })).status).toBe(304);
	const whole = await get(bridge, `/artifacts/${runId}/big.bin`);
	expect(sha256(whole.body)).toBe(sha256(big));
});

it("answers HEAD with the head of GET", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.withArtifacts({ a: "hello", "big.bin": big });
	for (const [name, size] of [
		["a", "5"],
		["big.bin", String(big.length)],
	]) {
		const head = await get(bridge, `/artifacts/${runId}/${name}`, {}, "HEAD");
		expect([head.status, head.headers["content-length"], head.body.length]).toEqual([200, size, 0]);
	}
	expect((await get(bridge, `/artifacts/${runId}`, {}, "HEAD")).headers["content-type"]).toBe("application/x-tar");
});

it("serves ranges as RFC 9110 says", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.withArtifacts({ "big.bin": big, empty: "" });
	const range = (value: string, more = {}) => get(bridge, `/artifacts/${runId}/big.bin`, { range: value, ...more });
	const cases: [string, number, number][] = [
		["bytes=0-0", 0, 1],
		["bytes=5-9", 5, 10],
		["bytes=2999990-", 2_999_990, 3_000_000],
		["bytes=-7", 2_999_993, 3_000_000],
		["bytes=-9999999", 0, 3_000_000],
		["bytes=100-99999999", 100, 3_000_000],
		["bytes=200000-700000", 200_000, 700_001],
	];
	for (const [header, start, end] of cases) {
		const answer = await range(header);
		expect([answer.status, answer.headers["content-range"]], header).toEqual([206, `bytes ${start}-${end - 1}/3000000`]);
		expect(answer.body.equals(big.subarray(start, end)), header).toBe(true);
	}
	for (const header of ["bytes=0-1,3-4", "lines=1-2", "bytes=9-5", "bytes=-", "bytes=a-b"]) {
		expect((await range(header)).status, header).toBe(200);
	}
	expect((await range("bytes=0-4", { "if-range": '"another"' })).status).toBe(200);
	for (const path of ["big.bin", "empty"]) {
		const answer = await get(bridge, `/artifacts/${runId}/${path}`, { range: "bytes=3000000-" });
		expect([answer.status, errorCode(answer)]).toEqual([416, "RANGE_NOT_SATISFIABLE"]);
		expect(answer.headers["content-range"]).toBe(`bytes */${path === "empty" ? 0 : 3_000_000}`);
	}
});

it("streams a run as a tar, its manifest first, then the files in manifest order", async () => {
	await using bridge = await startBridge();
	const long = `${"deep/".repeat(30)}name.txt`;
	const files = { "b.txt": "b", "a/ü.txt": "u", "big.bin": big, [long]: "long", "z empty": "" };
	const runId = await bridge.withArtifacts(files);
	const answer = await get(bridge, `/artifacts/${runId}`);
	expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/x-tar"]);
	const [first, ...rest] = await untar(answer.body);
	expect(first?.[0]).toBe(".xworkmate/manifest.json");
	const manifest = Manifest.parse(JSON.parse(first?.[1].toString() ?? ""));
	expect(manifest).toMatchObject({ runId, count: 5 });
	expect(rest.map(([name]) => name)).toEqual(manifest.items.map(({ relativePath }) => relativePath));
	for (const [index, [, bytes]] of rest.entries()) expect(sha256(bytes)).toBe(manifest.items[index]?.sha256);
});

it("serves the manifest of a run without files", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.withArtifacts({});
	expect((await untar((await get(bridge, `/artifacts/${runId}`)).body)).map(([name]) => name)).toEqual([".xworkmate/manifest.json"]);
});

it("refuses a run that is not over, unknown, or expired", async () => {
	await using bridge = await startBridge();
	const running = await bridge.run("running");
	const expired = await bridge.withArtifacts({ a: "a" });
	bridge.expired.add(expired);
	for (const rest of ["", "/a"]) {
		const answers = await Promise.all([running, "unknown", expired].map((runId) => get(bridge, `/artifacts/${runId}${rest}`)));
		expect(answers.map((answer) => [answer.status, errorCode(answer)])).toEqual([
			[409, "RUN_NOT_TERMINAL"],
			[404, "NOT_FOUND"],
			[404, "RUN_EXPIRED"],
		]);
	}
	const runId = await bridge.withArtifacts({ a: "a" });
	expect(errorCode(await get(bridge, `/artifacts/${runId}/b`))).toBe("NOT_FOUND");
});

it("tells damage that shows before the first byte with 409", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.withArtifacts({ "gone.bin": big, "short.bin": big, "long.txt": "long", "same size": "abc" });
	await rm(bridge.storedPath(runId, "gone.bin"));
	await truncate(bridge.storedPath(runId, "short.bin"), 10);
	await appendFile(bridge.storedPath(runId, "long.txt"), "er");
	await writeFile(bridge.storedPath(runId, "same size"), "abd");
	for (const path of ["/gone.bin", "/short.bin", "/long.txt", "/same%20size", ""]) {
		const answer = await get(bridge, `/artifacts/${runId}${path}`);
		expect([answer.status, errorCode(answer)], path).toEqual([409, "ARTIFACT_CHANGED"]);
	}
});

it("serves no part of a damaged file, and reads a whole one once for all its ranges", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.withArtifacts({ "big.bin": big, "small.txt": "abc" });
	const part = (path: string, range: string) => get(bridge, `/artifacts/${runId}/${path}`, { range });
	for (const range of ["bytes=0-9", "bytes=-10", "bytes=1000000-1999999"]) expect((await part("big.bin", range)).status).toBe(206);
	const damaged = Buffer.from(big);
	damaged[2_999_999] = 0;
	await writeFile(bridge.storedPath(runId, "big.bin"), damaged);
	await writeFile(bridge.storedPath(runId, "small.txt"), "abd");
	for (const [path, range] of [
		["big.bin", "bytes=0-9"],
		["big.bin", "bytes=-10"],
		["small.txt", "bytes=0-0"],
		["small.txt", "bytes=0-"],
	] as const) {
		const answer = await part(path, range);
		expect([answer.status, errorCode(answer)], range).toEqual([409, "ARTIFACT_CHANGED"]);
		expect(answer.headers["content-range"]).toBeUndefined();
	}
	await writeFile(bridge.storedPath(runId, "big.bin"), big);
	expect((await part("big.bin", "bytes=0-9")).body.toString()).toBe("0123456789");
});

it("destroys the connection when damage is found in mid-stream, and lives on", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.withArtifacts({ "a.txt": "a", "big.bin": big });
	const damaged = Buffer.from(big);
	damaged[2_999_999] = 0;
	await writeFile(bridge.storedPath(runId, "big.bin"), damaged);
	const received = async (path: string) => (await get(bridge, path)).body.length;
	await expect(received(`/artifacts/${runId}/big.bin`)).rejects.toThrow();
	await expect(received(`/artifacts/${runId}`)).rejects.toThrow();
	expect((await get(bridge, `/artifacts/${runId}/a.txt`)).status).toBe(200);
});

it("gives back every file and buffer of a download that its reader leaves", async () => {
	await using bridge = await startBridge();
	const runId = await bridge.withArtifacts({ "big.bin": Buffer.alloc(40_000_000, 1) });
	const openFiles = () =>
		readdirSync("/proc/self/fd")
			.map((fd) => linkOf(`/proc/self/fd/${fd}`))
			.filter((path) => path.endsWith("big.bin"));
	for (const path of [`/artifacts/${runId}`, `/artifacts/${runId}/big.bin`]) {
		const response = await respond(bridge, { path });
		await once(response, "readable");
		await vi.waitFor(() => expect(openFiles()).toHaveLength(1), bound);
		response.destroy();
		await vi.waitFor(() => expect(openFiles()).toHaveLength(0), bound);
	}
});

it.each([
	"/artifacts/RUN/../../etc/passwd",
	"/artifacts/RUN/%2e%2e/%2e%2e/etc/passwd",
	"/artifacts/RUN/..%2f..%2fetc%2fpasswd",
	"/artifacts/RUN/a%2Fb",
	"/artifacts/RUN/a%5Cb",
	"/artifacts/RUN//etc/passwd",
	"/artifacts/RUN/",
	"/artifacts/RUN/a%00",
	"/artifacts/RUN/./a",
	"/artifacts/RUN/.xworkmate/manifest.json",
	"/artifacts/RUN/.VERSIONS/a",
	"/artifacts/RUN/%ff",
	"/artifacts/RUN/%zz",
	"/artifacts/RUN/%1b%5b2J",
	"/artifacts/RUN/e%CC%81",
	"/artifacts/../etc/passwd",
])("refuses %s", async (template) => {
	await using bridge = await startBridge();
	const runId = await bridge.withArtifacts({ a: "a" });
	const answer = await get(bridge, template.replace("RUN", runId));
	expect([answer.status, errorCode(answer)]).toEqual([403, "FORBIDDEN_PATH"]);
});

it("never serves anything for a path that is not in the manifest, whatever its bytes", { timeout: 30_000 }, async () => {
	await using bridge = await startBridge();
	const runId: RunId = await bridge.withArtifacts({ a: "a" });
	const segment = fc.oneof(fc.constantFrom("..", ".", "%2e%2e", "%2f", "%00", "a", "~", "%c0%ae"), fc.webPath());
	await fc.assert(
		fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 5 }), async (segments) => {
			const path = segments.join("/");
			fc.pre(path !== "a" && !path.includes("?"));
			const answer = await get(bridge, `/artifacts/${runId}/${path}`);
			expect(answer.status).toBeGreaterThanOrEqual(403);
			expect(json(answer).error).toBeDefined();
		}),
		{ numRuns: 30 },
	);
});
