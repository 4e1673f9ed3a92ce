import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { OpenClawArtifact, OpenClawRunRef } from "@xworkmate/contracts";
import { pack } from "tar-stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GatewayDisconnected, GatewayRefusal } from "../../../src/providers/openclaw/gateway/gateway-error.ts";
import { ArtifactSource } from "../../../src/providers/openclaw/transfer/artifact-source.ts";
import { downloadFile, downloadTar, WrongBytes } from "../../../src/providers/openclaw/transfer/download.ts";
import { StagingFolder } from "../../../src/providers/openclaw/transfer/staging-folder.ts";

const ref = OpenClawRunRef.parse({
	runId: "run-1",
	sessionKey: "agent:main:xwm-000000000000000000000000",
	artifactScope: "tasks/t-000000000000/run-1",
});
const signal = new AbortController().signal;

function listed(relativePath: string, bytes: Buffer | string): OpenClawArtifact {
	return OpenClawArtifact.parse({
		relativePath,
		sizeBytes: Buffer.byteLength(bytes),
		sha256: createHash("sha256").update(bytes).digest("hex"),
		mediaType: "text/plain",
		modifiedAt: "2026-11-22T00:00:00.000Z",
	});
}

let folder = "";
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: { readonly url: string; readonly range: string | undefined; readonly authorization: string | undefined }[];

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "bring-"));
	await mkdir(join(folder, "run-1"));
	asked = [];
	server = createServer((request, response) => {
		const { range, authorization } = request.headers;
		asked.push({ url: request.url ?? "", range, authorization });
		answer(request, response);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
});

afterEach(async () => {
	server.closeAllConnections();
	server.close();
	await rm(folder, { recursive: true, force: true });
});

async function arrival(stallMs = 5_000) {
	const { port } = server.address() as AddressInfo;
	const source = new ArtifactSource({ baseUrl: new URL(`http://127.0.0.1:${port}/below/`), token: "secret", stallMs });
	return { source, ref, stage: await StagingFolder.open(join(folder, "run-1")), signal };
}

const bytes = Buffer.from("0123456789".repeat(1_000));

describe("a file from the gateway", () => {
	it("is asked for by its encoded path and goes on where an earlier attempt broke off", async () => {
		const item = listed("sub dir/ä?.txt", bytes);
		answer = (request, response) => {
			const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
			response.writeHead(from === 0 ? 200 : 206, { "content-length": bytes.length - from });
			if (from > 0) response.end(bytes.subarray(from));
			else response.write(bytes.subarray(0, 4_000), () => response.destroy());
		};
		const deps = await arrival();
		await expect(downloadFile(deps, item)).rejects.toBeInstanceOf(GatewayDisconnected);
		await downloadFile(deps, item);
		expect(await readFile(deps.stage.path(item.relativePath))).toEqual(bytes);
		expect(asked.map(({ range }) => range)).toEqual([undefined, "bytes=4000-"]);
		expect(asked[0]?.authorization).toBe("Bearer secret");
		const url = new URL(`http://x${asked[0]?.url}`);
		expect(url.pathname).toBe("/below/xworkmate/artifacts/run-1/sub%20dir/%C3%A4%3F.txt");
		expect(Object.fromEntries(url.searchParams)).toEqual({ sessionKey: ref.sessionKey, artifactScope: ref.artifactScope });
		await downloadFile(deps, item);
		expect(asked).toHaveLength(2);
	});

	it("is begun anew where what is there is not its beginning, and where the gateway does no ranges", async () => {
		const item = listed("a.txt", bytes);
		answer = (_request, response) => response.end(bytes);
		const deps = await arrival();
		await writeFile(deps.stage.path("a.txt"), "something else");
		await downloadFile(deps, item);
		expect(await readFile(deps.stage.path("a.txt"))).toEqual(bytes);
	});

	it.each([
		["other bytes", Buffer.from("x".repeat(bytes.length))],
		["too many bytes", Buffer.concat([bytes, bytes])],
		["too few bytes", bytes.subarray(1)],
	])("is refused when twice %s come", async (_what, wrong) => {
		answer = (_request, response) => response.end(wrong);
		await expect(downloadFile(await arrival(), listed("a.txt", bytes))).rejects.toBeInstanceOf(WrongBytes);
	});

	it.each([
		[404, GatewayRefusal],
		[409, GatewayRefusal],
		[503, GatewayDisconnected],
	])("is had or not by the status %i", async (status, kind) => {
		answer = (_request, response) => response.writeHead(status).end();
		await expect(downloadFile(await arrival(), listed("a.txt", bytes))).rejects.toBeInstanceOf(kind);
	});

	it("is given up when nothing more comes", async () => {
		answer = (_request, response) => void response.write(bytes.subarray(0, 10));
		await expect(downloadFile(await arrival(50), listed("a.txt", bytes))).rejects.toBeInstanceOf(GatewayDisconnected);
	});

	it("is not written through a link", async () => {
		answer = (_request, response) => response.end(bytes);
		const deps = await arrival();
		await writeFile(join(folder, "outside"), "kept");
		await symlink(join(folder, "outside"), deps.stage.path("a.txt"));
		await expect(downloadFile(deps, listed("a.txt", bytes))).rejects.toMatchObject({ code: "ELOOP" });
		expect(await readFile(join(folder, "outside"), "utf8")).toBe("kept");
	});
});

describe("files in one stream", () => {
	const wanted = [listed("a.txt", "aa"), listed("sub/b.txt", bytes), listed("c.txt", "cc")];

	it("arrive whole, and what is not wanted or is otherwise than listed is left out", async () => {
		const tar = pack();
		tar.entry({ name: "../evil.txt" }, "evil");
		tar.entry({ name: "a.txt" }, "aa");
		tar.entry({ name: "a-link", type: "symlink", linkname: "/etc/passwd" });
		tar.entry({ name: "sub/b.txt" }, bytes);
		tar.entry({ name: "c.txt" }, "xx");
		tar.finalize();
		const whole = await buffer(tar);
		answer = (_request, response) => response.end(whole);
		const deps = await arrival();
		expect((await downloadTar(deps, wanted)).map(({ relativePath }) => relativePath)).toEqual(["c.txt"]);
		expect(await readFile(deps.stage.path("sub/b.txt"))).toEqual(bytes);
		expect(await readFile(deps.stage.path("a.txt"), "utf8")).toBe("aa");
		await expect(stat(deps.stage.path("c.txt"))).rejects.toMatchObject({ code: "ENOENT" });
		expect((await readdir(folder)).sort()).toEqual(["run-1", "run-1.arriving"]);
	});

	it("keep what was whole when the stream breaks off", async () => {
		const tar = pack();
		tar.entry({ name: "a.txt" }, "aa");
		tar.entry({ name: "sub/b.txt" }, bytes);
		tar.finalize();
		const whole = await buffer(tar);
		answer = (_request, response) => void response.write(whole.subarray(0, 2_000), () => response.destroy());
		const deps = await arrival();
		await expect(downloadTar(deps, wanted)).rejects.toBeInstanceOf(GatewayDisconnected);
		expect(await readFile(deps.stage.path("a.txt"), "utf8")).toBe("aa");
	});
});

describe("the folder where files arrive", () => {
	it("takes the artifact directory's place when it is whole, and an earlier delivery up again", async () => {
		const directory = join(folder, "run-1");
		const stage = await StagingFolder.open(directory);
		await writeFile(stage.path("a.txt"), "aa");
		await writeFile(stage.path("other.txt"), "no");
		await mkdir(stage.path("empty"));
		await symlink("/etc/passwd", stage.path("link"));
		await stage.keepOnly([listed("a.txt", "aa"), listed("sub/b.txt", "b")]);
		expect(await readdir(directory)).toEqual([]);
		await stage.publish();
		expect(await readdir(directory)).toEqual(["a.txt"]);
		const again = await StagingFolder.open(directory);
		expect(await readFile(again.path("a.txt"), "utf8")).toBe("aa");
		expect(await readdir(directory)).toEqual([]);
		await again.publish();
		expect(await readdir(folder)).toEqual(["run-1"]);
	});
});
