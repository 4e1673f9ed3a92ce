import { omitUndefined } from "@xworkmate/contracts";
import type { z } from "zod";
import type { DeviceIdentity } from "./device-identity.ts";
import type { GatewayBounds } from "./gateway-bounds.ts";
import { GatewayDisconnected } from "./gateway-error.ts";
import { Challenge, Hello } from "./gateway-frame.ts";
import { GatewayWire, protocolProblem } from "./gateway-wire.ts";

/** The gateway's address and the credentials for it. */
export interface GatewayAccess {
	/** ws or wss. */
	readonly url: string;
	readonly token?: string;
	/** Absent if the gateway would not ask for a device's identity. */
	readonly identity?: DeviceIdentity;
	/** The version of the contract with the plugin; the bridge reports it as its own version. */
	readonly version: string;
}

export interface LinkListener {
	onEvent(event: string, payload: unknown): void;
}

const PROTOCOL = 4;
const ROLE = "operator";
// The gateway accepts only fixed client ids and modes; this pair identifies a trusted backend.
const CLIENT_ID = "gateway-client";
const CLIENT_MODE = "backend";
/** The minimum that runs and their approvals need; never admin. */
const SCOPES = ["operator.read", "operator.write", "operator.approvals"] as const;
const CAPS = ["tool-events", "approvals", "exec-approvals", "plugin-approvals"] as const;

/** An authenticated connection, from the gateway's hello to its close. */
export class GatewayLink {
	readonly hello: Hello;
	/** The id by which the gateway knows this bridge. */
	readonly deviceId: string | undefined;
	readonly #wire: GatewayWire;

	private constructor(wire: GatewayWire, hello: Hello, deviceId: string | undefined) {
		this.#wire = wire;
		this.hello = hello;
		this.deviceId = deviceId;
	}

	/**
	 * Opens a socket and completes the handshake (OpenClaw gateway protocol 4, handshake).
	 * @throws GatewayRefusal if the gateway refuses the connection, even if only for now; GatewayDisconnected; GatewayProtocolError
	 */
	static async open(access: GatewayAccess, bounds: GatewayBounds, listener: LinkListener, stop: AbortSignal): Promise<GatewayLink> {
		const challenge = Promise.withResolvers<unknown>();
		const wire = new GatewayWire(access.url, bounds, {
			onEvent: (event, payload) => (event === "connect.challenge" ? challenge.resolve(payload) : listener.onEvent(event, payload)),
		});
		const end = () => wire.terminate("is no longer needed");
		stop.addEventListener("abort", end, { once: true });
		const slow = setTimeout(
			() => wire.terminate(`did not complete the handshake within ${bounds.handshakeMs / 1_000} s`),
			bounds.handshakeMs,
		);
		try {
			await wire.opened;
			const asked = await Promise.race([challenge.promise, wire.closed]);
			if (asked instanceof GatewayDisconnected) throw asked;
			const answer = await wire.call("connect", connectParams(access, parse(Challenge, asked, "challenge")), bounds.handshakeMs);
			const hello = parse(Hello, answer, "hello");
			wire.watch(hello.policy.tickIntervalMs);
			return new GatewayLink(wire, hello, access.identity?.id);
		} catch (error) {
			wire.terminate("did not complete the handshake");
			throw error;
		} finally {
			clearTimeout(slow);
			stop.removeEventListener("abort", end);
		}
	}

	/** Settles with the reason once the connection is closed. */
	get closed(): Promise<GatewayDisconnected> {
		return this.#wire.closed;
	}

	/** @throws GatewayRefusal; GatewayDisconnected */
	call(method: string, params: unknown, ms?: number): Promise<unknown> {
		return this.#wire.call(method, params, ms);
	}

	/** Pauses reading until `room` settles. */
	pauseUntil(room: Promise<void>): void {
		this.#wire.pauseUntil(room);
	}

	terminate(reason: string): void {
		this.#wire.terminate(reason);
	}
}

function connectParams({ token, identity, version }: GatewayAccess, { nonce, ts }: z.infer<typeof Challenge>) {
	const { platform } = process;
	const signed = ["v3", identity?.id, CLIENT_ID, CLIENT_MODE, ROLE, SCOPES.join(","), ts, token ?? "", nonce, platform, ""].join("|");
	const device = identity && { id: identity.id, publicKey: identity.publicKey, signature: identity.sign(signed), signedAt: ts, nonce };
	return {
		minProtocol: PROTOCOL,
		maxProtocol: PROTOCOL,
		client: { id: CLIENT_ID, version, platform, mode: CLIENT_MODE },
		role: ROLE,
		scopes: SCOPES,
		caps: CAPS,
		...(token === undefined ? {} : { auth: { token } }),
		...omitUndefined({ device }),
		userAgent: `xworkmate-bridge/${version}`,
	};
}

function parse<T extends z.ZodType>(schema: T, value: unknown, what: string): z.infer<T> {
	const parsed = schema.safeParse(value);
	if (!parsed.success) throw protocolProblem(what);
	return parsed.data;
}
