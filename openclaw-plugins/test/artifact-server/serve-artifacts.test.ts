import { once } from "node:events";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { artifactPathProblem, OPENCLAW_ARTIFACT_ROUTE, type OpenClawRunRef } from "@xworkmate/contracts";
import fc from "fast-check";
import { extract } from "tar-stream";
import { describe, expect, it } from "vitest";
import { parseArtifactUrl } from "../../src/artifact-server/artifact-address.ts";
import { readArtifact } from "../../src/artifact-server/read-artifact.ts";
import { serveArtifacts } from "../../src/artifact-server/serve-artifacts.ts";
import { pluginRig } from "../support/plugin-rig.ts";
import { runRef } from "../support/run-refs.ts";

const FILES: Readonly<Record<string, Buffer>> = {
	"a.txt": Buffer.from("first"),
	"big.bin": Buffer.alloc(3_000_001, "0123456789"),
	"d/empty": Buffer.alloc(0),
	[`${"l".repeat(150)}/${"n".repeat(120)}.txt`]: Buffer.from("long name"),
	"sub/ü b.txt": Buffer.from("umlaut"),
};

async function served() {
	const rig = await pluginRig();
	const { artifactDirectory } = rig.prepare();
	for (const [path, bytes] of Object.entries(FILES)) {
		mkdirSync(join(artifactDirectory, path, ".."), { recursive: true });
		writeFileSync(join(artifactDirectory, path), bytes);
	}
	rig.registry.change(runRef(1).runId, { kind: "ended", state: "completed" });
	await rig.collector.collectAndSnapshotXWorkmateArtifacts({ ...runRef(1), waitMs: 0 });
	const logger = { info: () => {}, warn: () => {}, error: (message: string) => rig.warnings.push(message) };
	const server = createServer((request, response) => void serveArtifacts(request, response, { ...rig, logger }));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("the server listens on a port");
	const { port } = address;
	const get = (path = "", init: RequestInit = {}, { runId, sessionKey, artifactScope }: OpenClawRunRef = runRef(1)) =>
		fetch(
			`http://127.0.0.1:${port}${OPENCLAW_ARTIFACT_ROUTE}/${runId}${path}?sessionKey=${encodeURIComponent(sessionKey)}&artifactScope=${encodeURIComponent(artifactScope)}`,
			init,
		);
	const dispose = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
		await rig[Symbol.asyncDispose]();
	};
	return { ...rig, artifactDirectory, get, [Symbol.asyncDispose]: dispose };
}

async function untar(body: ReadableStream<Uint8Array> | null) {
	const found: Record<string, Buffer> = {};
	const unpacked = extract();
	const fed = pipeline(Readable.from(body ?? []), unpacked);
	for await (const entry of unpacked) found[entry.header.name] = await buffer(entry);
	await fed;
	return found;
}

describe("the artifact route", () => {
	it("[T4-27] streams the whole scope as a tar", async () => {
		await using server = await served();
		const answer = await server.get();
		expect(answer.headers.get("content-type")).toBe("application/x-tar");
		const found = await untar(answer.body);
		expect(Object.keys(found).sort()).toEqual(Object.keys(FILES).sort());
		for (const [path, bytes] of Object.entries(FILES)) expect(found[path]?.equals(bytes), path).toBe(true);
	});

	it("gives one file: whole, in parts, its head", async () => {
		await using server = await served();
		const whole = await server.get("/big.bin");
		expect([whole.status, whole.headers.get("etag")]).toEqual([
			200,
			`"${server.sealed.require(server.registry.require(runRef(1))).items.find(({ relativePath }) => relativePath === "big.bin")?.sha256}"`,
		]);
		expect(Buffer.from(await whole.arrayBuffer()).equals(FILES["big.bin"] ?? Buffer.alloc(0))).toBe(true);
		const part = await server.get("/big.bin", { headers: { range: "bytes=2000003-2000012" } });
		expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
			206,
			"bytes 2000003-2000012/3000001",
			"3456789012",
		]);
		const head = await server.get("/big.bin", { method: "HEAD" });
		expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "3000001", ""]);
		expect((await server.get("/big.bin", { headers: { range: "bytes=3000001-" } })).status).toBe(416);
		expect(await (await server.get("/sub/%C3%BC%20b.txt")).text()).toBe("umlaut");
	});

	it("refuses paths that are not a plain file's, and never cleans them", async () => {
		await using server = await served();
		for (const path of ["/sub%2F%C3%BC%20b.txt", "/a.txt/", "//a.txt", "/%zz", "/.xworkmate/x"]) {
			expect([path, (await server.get(path)).status]).toEqual([path, 400]);
		}
		expect((await server.get("/other.txt")).status).toBe(404);
		expect((await server.get("/a.txt", { method: "POST" })).status).toBe(405);
	});

	it("takes from a URL a safe path or nothing", () => {
		fc.assert(
			fc.property(fc.oneof(fc.string({ unit: fc.constantFrom("a", ".", "/", "%", "2", "f", "e", "\\", "?") }), fc.webPath()), (path) => {
				const { runId, sessionKey, artifactScope } = runRef(1);
				const query = `?sessionKey=${sessionKey}&artifactScope=${artifactScope}`;
				try {
					const { relativePath } = parseArtifactUrl(`${OPENCLAW_ARTIFACT_ROUTE}/${runId}/${path.split("?")[0]}${query}`);
					expect(relativePath === undefined ? undefined : artifactPathProblem(relativePath)).toBeUndefined();
				} catch (error) {
					expect(error).toMatchObject({ code: "INVALID_PARAMS" });
				}
			}),
		);
	});

	it("[T4-28] refuses another run's scope or session", async () => {
		await using server = await served();
		expect((await server.get("", {}, runRef(2))).status).toBe(404);
		expect((await server.get("", {}, { ...runRef(1), sessionKey: runRef(1, 2).sessionKey })).status).toBe(409);
		expect((await server.get("", {}, { ...runRef(1), artifactScope: runRef(1, 2).artifactScope })).status).toBe(409);
	});

	it("gives nothing of a file that was written after the seal, and breaks the tar off", async () => {
		await using server = await served();
		writeFileSync(join(server.artifactDirectory, "a.txt"), "FIRST");
		const changed = await server.get("/a.txt");
		expect([changed.status, await changed.json()]).toMatchObject([409, { error: { code: "ARTIFACT_CHANGED" } }]);
		// Of the same size: nothing but the hash tells.
		await expect(server.get().then((answer) => answer.arrayBuffer())).rejects.toThrow();
		appendFileSync(join(server.artifactDirectory, "big.bin"), "more");
		expect((await server.get("/big.bin")).status).toBe(409);
		await expect(server.get().then((answer) => answer.arrayBuffer())).rejects.toThrow();
	});

	it("reads pieces for connections without the route", async () => {
		await using server = await served();
		const record = server.registry.require(runRef(1));
		const read = (offset: number, length: number) =>
			readArtifact(record, server.sealed.require(record), { ...runRef(1), relativePath: "big.bin", offset, length });
		expect(await read(2_999_991, 64)).toMatchObject({
			base64: Buffer.from("1234567890").toString("base64"),
			sizeBytes: 3_000_001,
			complete: true,
		});
		await expect(read(3_000_002, 1)).rejects.toMatchObject({ code: "INVALID_PARAMS" });
		appendFileSync(join(server.artifactDirectory, "big.bin"), "x");
		await expect(read(0, 1)).rejects.toMatchObject({ code: "ARTIFACT_CHANGED" });
	});
});
