import { z } from "zod";
import { Agent, Agents } from "../agents/agent.ts";
import { ProviderId } from "../ids/ids.ts";
import type { MethodDefinition } from "./method-definition.ts";

// A new schema for each method: one that is used twice would need a name in the OpenRPC document.
const ofAgent = () => z.strictObject({ agentId: ProviderId });
const ofMethod = () => z.strictObject({ agentId: ProviderId, methodId: z.string().min(1).max(200) });

/** Agents: install, update, sign in and test them. Secrets can be written but never read. */
export const agentMethods = {
	"xworkmate.agents.list": {
		params: z.strictObject({}),
		result: Agents,
		streams: false,
		effects: false,
		summary: "The agents of the catalogue, and the state of each on this computer. Contacts no server.",
	},
	"xworkmate.agents.install": {
		params: ofAgent(),
		result: Agent,
		streams: false,
		effects: true,
		summary:
			"Starts installing the offered version. An agent that is already installed is left unchanged, even if another version is offered.",
	},
	"xworkmate.agents.update": {
		params: ofAgent(),
		result: Agent,
		streams: false,
		effects: true,
		summary:
			"Starts installing the offered version beside the installed one, which is used until the new one has been started once and has responded.",
	},
	"xworkmate.agents.cancel": {
		params: ofAgent(),
		result: Agent.extend({
			/** False: nothing was under way. Absent: the bridge's version does not say. */
			cancelled: z.boolean().exactOptional(),
		}),
		streams: false,
		effects: true,
		summary: "Ends an installation, update or sign-in, and removes what it left behind.",
	},
	"xworkmate.agents.remove": {
		params: ofAgent(),
		result: Agent.extend({
			/** False: nothing had been installed, and no variables were stored. Absent: the bridge's version does not say. */
			removed: z.boolean().exactOptional(),
		}),
		streams: false,
		effects: true,
		summary: "Removes what was installed, and the variables that are stored for the agent.",
	},
	"xworkmate.agents.test": {
		params: ofAgent(),
		result: Agent,
		streams: false,
		effects: true,
		summary:
			"Tests an agent, for at most 20 s: starts it, then opens and ends a conversation. Calls no model. Keeps the result as the agent's last test.",
	},
	"xworkmate.agents.check": {
		params: z.strictObject({}),
		result: Agents,
		streams: false,
		effects: true,
		summary: "Queries the npm registry for the newest versions of the installed agents, within 20 s. Installs nothing.",
	},
	"xworkmate.agents.signIn": {
		params: ofMethod().extend({
			/** Only for a method with variables. The variables named here are stored; `null` removes one. */
			variables: z.record(z.string().max(100), z.string().min(1).max(16_384).nullable()).optional(),
		}),
		result: Agent,
		streams: false,
		effects: true,
		summary: "Stores variables for this agent alone, or has the agent run its own sign-in, which may take at most 10 min.",
	},
	"xworkmate.agents.terminal": {
		params: ofMethod(),
		result: z.object({ command: z.string(), args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
		streams: false,
		effects: false,
		summary: "What to run in a terminal to sign in.",
	},
} as const satisfies Record<string, MethodDefinition>;
