import { systemClock } from "../ports/clock.ts";
import type { CallPolicy } from "../ports/tools/call-policy.ts";
import type { ToolHosts } from "../ports/tools/tool-hosts.ts";
import { sha256Of } from "./input-hash.ts";

const noHosts: ToolHosts = {
	catalogue: async () => ({ registryHash: sha256Of(""), tools: new Map(), declarations: "" }),
	isCurrent: () => false,
	examine: async () => ({ kind: "changed" }),
	call: async () => ({ kind: "failed", code: "TOOL_CHANGED", message: "there are no integrations" }),
	close: async () => undefined,
};

const denyAll: CallPolicy = {
	version: "none",
	answer: async () => ({ decision: "deny", by: "policy", reason: "policy" }),
	denial: () => ({ decision: "deny", by: "policy", reason: "policy" }),
};

/** The dependencies of programs without integrations, which have no tools to call. */
export const noIntegrations = { hosts: noHosts, policy: denyAll, clock: systemClock, parkMs: 2_000 };
