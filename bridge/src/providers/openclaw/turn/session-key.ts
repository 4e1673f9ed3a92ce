import { createHash } from "node:crypto";
import { OpenClawSessionKey, type RunId, type ThreadId } from "@xworkmate/contracts";
import type { ProviderSession } from "../../../ports/runs/session-store.ts";

/** The OpenClaw agent that works for threads; its name is the gateway's default. */
const GATEWAY_AGENT = "main";
const HEX = 24;

/**
 * The key of a conversation that a run begins. It is derived from the thread and the run, so that the same run finds its conversation again
 * whatever was stored. It is a hash, so that it reveals nothing about the app's keys.
 */
export function newSessionKey(threadId: ThreadId, runId: RunId): OpenClawSessionKey {
	const hash = createHash("sha256")
		.update(JSON.stringify([threadId, runId]))
		.digest("hex")
		.slice(0, HEX);
	return OpenClawSessionKey.parse(`agent:${GATEWAY_AGENT}:xwm-${hash}`);
}

/** The key of the stored conversation; undefined if there is none, or if it isn't one of the gateway's. */
export function storedSessionKey(session: ProviderSession | undefined): OpenClawSessionKey | undefined {
	return OpenClawSessionKey.safeParse(session?.providerSessionId).data;
}
