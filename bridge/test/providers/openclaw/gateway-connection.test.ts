import { createPublicKey, verify } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectProblem } from "../../../src/providers/openclaw/gateway/connect-problem.ts";
import { loadDeviceIdentity } from "../../../src/providers/openclaw/gateway/device-identity.ts";
import { defaultGatewayBounds, type GatewayBounds } from "../../../src/providers/openclaw/gateway/gateway-bounds.ts";
import { GatewayConnection, type GatewayListener } from "../../../src/providers/openclaw/gateway/gateway-connection.ts";
import { GatewayDisconnected, GatewayLost, GatewayRefusal } from "../../../src/providers/openclaw/gateway/gateway-error.ts";
import { GatewayDouble, hello, type Respond, starting } from "./gateway-double.ts";

const TOKEN = "a-token-that-nobody-may-see";
const quick: Partial<GatewayBounds> = { retryMs: 5, retryMaxMs: 20, refusedRetryMs: 50, requestMs: 2_000 };

interface Scene extends AsyncDisposable {
	readonly connection: GatewayConnection;
	readonly words: readonly string[];
	readonly events: readonly (readonly [string, unknown])[];
	losses: number;
	links: number;
}

function connect(double: GatewayDouble, bounds: Partial<GatewayBounds> = {}, url = double.url): Scene {
	const words: string[] = [];
	const events: (readonly [string, unknown])[] = [];
	const note = (_facts: object, message: string) => void words.push(message);
	const listener: GatewayListener = {
		onEvent: (event, payload) => void events.push([event, payload]),
		onLink: () => scene.links++,
		onLoss: () => scene.losses++,
	};
	const connection = new GatewayConnection(
		{
			access: async () => ({ url, token: TOKEN, version: "1" }),
			place: { host: "the double", setBy: {} },
			bounds: { ...defaultGatewayBounds, ...quick, ...bounds },
			log: { info: note, warn: note, debug: note },
		},
		listener,
	);
	const scene: Scene = { connection, words, events, losses: 0, links: 0, [Symbol.asyncDispose]: () => connection.close() };
	connection.start();
	return scene;
}

const echo: Respond = ({ method, params }) => (method === "connect" ? hello() : { payload: params });
const ask = (connection: GatewayConnection) => connection.persist((link) => link.call("echo", { n: 1 }));

describe("the connection to a gateway", () => {
	it("waits for a gateway that is starting", async () => {
		await using double = await GatewayDouble.start(({ method, params }, nth) =>
			method !== "connect" ? { payload: params } : nth < 4 ? starting : hello(),
		);
		await using scene = connect(double);
		expect(await ask(scene.connection)).toEqual({ n: 1 });
		expect(double.connections).toBe(4);
		expect(double.requests[0]?.params).toMatchObject({ minProtocol: 4, maxProtocol: 4, role: "operator", auth: { token: TOKEN } });
	});

	it("says of wss on a plain port that it is one, with the address to set", async () => {
		await using double = await GatewayDouble.start(echo);
		await using scene = connect(double, {}, double.url.replace("ws:", "wss:"));
		await scene.connection.attempt(5_000);
		expect(scene.connection.problem).toMatchObject({
			retriesSlowly: true,
			unavailable: {
				code: "GATEWAY_NOT_TLS",
				message: expect.not.stringContaining("\n"),
				fix: expect.stringContaining("to ws://the double "),
			},
		});
	});

	it("is made again after every cut, and carries calls over that may be repeated", async () => {
		await using double = await GatewayDouble.start(({ method, params }, nth) => {
			if (method === "connect") return hello({ bootId: `boot-${nth}` });
			if (nth === 3) return { payload: params };
			double.cut();
			return undefined;
		});
		await using scene = connect(double);
		expect(await ask(scene.connection)).toEqual({ n: 1 });
		expect(scene).toMatchObject({ links: 3, losses: 2 });
		expect(scene.connection.link?.hello.server.bootId).toBe("boot-3");
	});

	it("ends a socket that is only half open", async () => {
		await using double = await GatewayDouble.start(({ method }, nth) =>
			method === "connect" ? hello({ tickIntervalMs: 1 }) : nth === 1 ? undefined : { payload: "ok" },
		);
		await using scene = connect(double, { pingMs: 20, silenceMs: 100, requestMs: 60_000 });
		// The double answers no ping, so the first connection is found dead although its socket never closes.
		expect(await ask(scene.connection)).toBe("ok");
		expect(scene.losses).toBeGreaterThan(0);
		expect(scene.words).toContain("the connection to the gateway was lost");
	});

	it("bounds a call that is never answered", async () => {
		await using double = await GatewayDouble.start(({ method }) => (method === "connect" ? hello() : undefined));
		await using scene = connect(double);
		const call = scene.connection.persist(async (link) => link.call("echo", {}, 20).catch((error: unknown) => error));
		expect(await call).toBeInstanceOf(GatewayDisconnected);
	});

	it("ends a socket over which a call was not answered and nothing else came", async () => {
		await using double = await GatewayDouble.start(({ method }, nth) =>
			method === "connect" ? hello() : nth === 1 ? undefined : { payload: "ok" },
		);
		await using scene = connect(double, { requestMs: 50 });
		expect(await ask(scene.connection)).toBe("ok");
		expect(scene.losses).toBe(1);
	});

	it("ignores garbage, and ends what sends nothing else", async () => {
		await using double = await GatewayDouble.start(echo);
		await using scene = connect(double);
		await ask(scene.connection);
		for (const garbage of ["", "{", "[]", '{"type":"res"}', '{"type":"event"}', '{"type":"res","id":"x999","ok":true}'])
			double.say(garbage);
		double.event("tick", {});
		expect(await ask(scene.connection)).toEqual({ n: 1 });
		expect(scene.events).toEqual([["tick", {}]]);
		const again = double.connection();
		for (let count = 0; count < 101; count++) double.say("{");
		await again;
		expect(await ask(scene.connection)).toEqual({ n: 1 });
	});

	it("takes no frame over its bound", async () => {
		await using double = await GatewayDouble.start(echo);
		await using scene = connect(double, { frameBytes: 10_000 });
		await ask(scene.connection);
		const again = double.connection();
		double.event("large", "x".repeat(20_000));
		await again;
		expect(await ask(scene.connection)).toEqual({ n: 1 });
		expect(scene.events).toEqual([]);
	});

	it("does not parse a frame of more fields or levels than its bound, and goes on", async () => {
		await using double = await GatewayDouble.start(echo);
		await using scene = connect(double, { frame: { depth: 8, members: 200 } });
		await ask(scene.connection);
		double.event("many", Array(300).fill(0));
		double.event("deep", [[[[[[[[[]]]]]]]]]);
		double.event("tick", {});
		expect(await ask(scene.connection)).toEqual({ n: 1 });
		expect(scene.events).toEqual([["tick", {}]]);
	});

	it("gives a gateway up after its bound, with the reason, and tries on", async () => {
		const gone = { error: { code: "INVALID_REQUEST", message: "unauthorized", details: { code: "AUTH_TOKEN_MISMATCH" } } };
		await using double = await GatewayDouble.start(() => gone);
		await using scene = connect(double, { lostMs: 300 });
		const lost = await ask(scene.connection).catch((error: unknown) => error);
		expect(lost).toBeInstanceOf(GatewayLost);
		expect(String(lost)).toContain("rejected the token");
		expect(scene.connection.problem?.unavailable.code).toBe("GATEWAY_TOKEN_WRONG");
		await expect.poll(() => double.connections, { timeout: 20_000 }).toBeGreaterThan(1);
	});

	it("says to a call that waits that the bridge closed it, not that the gateway was unavailable for minutes", async () => {
		await using double = await GatewayDouble.start(({ method, params }) => (method === "connect" ? starting : { payload: params }));
		await using scene = connect(double);
		const waiting = ask(scene.connection).catch((error: unknown) => error);
		await scene.connection.close();
		expect(await waiting).toMatchObject({ name: "GatewayLost", message: "The bridge has closed its connection to the gateway." });
	});

	it("is tried again before it is said why there is none, unless the last try was just now", async () => {
		const unknown = { code: "NOT_PAIRED", message: "pairing required", details: { code: "PAIRING_REQUIRED", requestId: "req-7" } };
		await using double = await GatewayDouble.start((_request, nth) => (nth === 1 ? { error: unknown } : hello()));
		await using scene = connect(double, { refusedRetryMs: 12_000 });
		await scene.connection.attempt(5_000);
		expect(scene.connection.problem?.unavailable.code).toBe("GATEWAY_PAIRING_NEEDED");
		const began = performance.now();
		await scene.connection.attempt(1_500);
		expect(performance.now() - began).toBeLessThan(1_000);
		await scene.connection.attempt(20_000);
		expect(scene.connection.problem).toBeUndefined();
		expect(scene.connection.link).toBeDefined();
	});

	it("throws on what the gateway refuses", async () => {
		const refusal = { error: { code: "CONFLICT", message: "no", details: { code: "SESSION_BUSY" } } };
		await using double = await GatewayDouble.start(({ method }) => (method === "connect" ? hello() : refusal));
		await using scene = connect(double);
		const refused = await ask(scene.connection).catch((error: unknown) => error);
		expect(refused).toBeInstanceOf(GatewayRefusal);
		expect(refused).toMatchObject({ code: "CONFLICT", facts: { detailCode: "SESSION_BUSY", retryable: false } });
	});

	it("never says its token", async () => {
		const echoing: Respond = ({ params }) => ({ error: { code: "INVALID_REQUEST", message: "no", details: params } });
		await using double = await GatewayDouble.start(echoing);
		await using scene = connect(double, { lostMs: 100 });
		const lost = await ask(scene.connection).catch((error: unknown) => error);
		expect(JSON.stringify([scene.words, scene.connection.problem, String(lost)])).not.toContain(TOKEN);
	});
});

describe("the identity of this bridge", () => {
	it("is made once, kept for the owner alone, and signs", async () => {
		const folder = await mkdtemp(join(tmpdir(), "device-"));
		try {
			const path = join(folder, "new", "device.pem");
			const first = await loadDeviceIdentity(path);
			const second = await loadDeviceIdentity(path);
			expect({ id: second.id, publicKey: second.publicKey }).toEqual({ id: first.id, publicKey: first.publicKey });
			expect((await stat(path)).mode & 0o777).toBe(0o600);
			const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: first.publicKey }, format: "jwk" });
			expect(verify(null, Buffer.from("words"), key, Buffer.from(second.sign("words"), "base64url"))).toBe(true);
		} finally {
			await rm(folder, { recursive: true });
		}
	});

	it.each([
		["that other users can read", async (path: string) => chmod(path, 0o644), "chmod 600"],
		["that is damaged", async (path: string) => writeFile(path, "not a key\n"), "Restore the file from a backup"],
	])("is not taken from a key file %s, and the gateway is not blamed for it", async (_what, spoil, fix) => {
		const folder = await mkdtemp(join(tmpdir(), "device-"));
		try {
			const path = join(folder, "device.pem");
			await loadDeviceIdentity(path);
			await spoil(path);
			const kept = await readFile(path, "utf8");
			const error = await loadDeviceIdentity(path).catch((thrown: unknown) => thrown);
			const { unavailable, retriesSlowly } = connectProblem(error, { host: "127.0.0.1:18789", setBy: {} });
			expect(unavailable).toMatchObject({
				code: "GATEWAY_KEY_UNUSABLE",
				message: expect.stringContaining(path),
				fix: expect.stringContaining(fix),
			});
			expect(retriesSlowly).toBe(true);
			expect(await readFile(path, "utf8")).toBe(kept);
		} finally {
			await rm(folder, { recursive: true });
		}
	});

	it.each([
		["read", async (folder: string) => join(await fileIn(folder), "device.pem"), "read", "ENOTDIR"],
		// The key's own name is short enough, and that of the file beside it, which is written first, is not.
		["create", async (folder: string) => join(folder, "k".repeat(250)), "create", "ENAMETOOLONG"],
	])("that the file system does not let it %s is not called an unreachable gateway", async (_what, pathIn, act, code) => {
		const folder = await mkdtemp(join(tmpdir(), "device-"));
		try {
			const path = await pathIn(folder);
			const error = await loadDeviceIdentity(path).catch((thrown: unknown) => thrown);
			expect(connectProblem(error, { host: "127.0.0.1:18789", setBy: {} }).unavailable).toEqual({
				code: "GATEWAY_KEY_UNUSABLE",
				message: `The bridge can't ${act} its key for the gateway, ${path} (${code}).`,
				fix: expect.stringContaining("belongs to the user who runs the bridge"),
			});
		} finally {
			await rm(folder, { recursive: true });
		}
	});
});

async function fileIn(folder: string): Promise<string> {
	const path = join(folder, "file");
	await writeFile(path, "");
	return path;
}
