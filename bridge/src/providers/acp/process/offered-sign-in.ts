import { AgentVariableName, omitUndefined } from "@xworkmate/contracts";
import type { OfferedSignIn } from "../../../ports/agents/managed-agent.ts";
import { firstBytes } from "../../preview.ts";
import type { AuthMethod } from "./handshake.ts";
import { cleanText } from "./stderr-tail.ts";

const ID = /^[\w.:@/ -]{1,200}$/;
const TEXT_BYTES = 500;
const MOST_VARIABLES = 20;
const MOST_ARGS = 50;

/** A sign-in method that an agent described, with its texts cleaned and bounded; undefined if it cannot be used. */
export function offeredSignIn(method: AuthMethod): OfferedSignIn | undefined {
	const { id, name, description, link, type, args = [], env = {}, vars = [] } = method;
	if (!ID.test(id)) return undefined;
	const base = {
		id,
		name: shown(name ?? id),
		...omitUndefined({ description: description === undefined ? undefined : shown(description), link: pageAddress(link) }),
	};
	if (type === "terminal") {
		const isUsable = args.length <= MOST_ARGS && Object.keys(env).every(isVariable);
		return isUsable ? { ...base, kind: "terminal", args, env } : undefined;
	}
	if (type !== "env_var") return { ...base, kind: "agent" };
	const isUsable = vars.length > 0 && vars.length <= MOST_VARIABLES && vars.every((one) => isVariable(one.name));
	if (!isUsable) return undefined;
	const variables = vars.map(({ name: variable, label, secret = true, optional = false }) => ({
		name: variable,
		secret,
		optional,
		...(label ? { label: shown(label) } : {}),
	}));
	return { ...base, kind: "variables", vars: variables };
}

function isVariable(name: string): boolean {
	return AgentVariableName.safeParse(name).success;
}

function shown(text: string): string {
	return firstBytes(cleanText(text).replaceAll("\n", " "), TEXT_BYTES);
}

/** The address, if it is an https address: it comes from the agent, and the user may open it. */
function pageAddress(link: string | undefined): string | undefined {
	return link !== undefined && link.length <= TEXT_BYTES && URL.canParse(link) && new URL(link).protocol === "https:" ? link : undefined;
}
