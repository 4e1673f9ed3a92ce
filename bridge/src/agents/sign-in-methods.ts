import { ContractError, omitUndefined, type SignInMethod } from "@xworkmate/contracts";
import type { OfferedSignIn } from "../ports/agents/managed-agent.ts";
import type { CatalogueEntry } from "../providers/catalogue/catalogue.ts";

/** A sign-in method, and the variables that are set together with its own. */
export interface KnownSignIn extends OfferedSignIn {
	readonly together?: Readonly<Record<string, string>>;
}

/**
 * The sign-in methods of the catalogue, then those that the agent offered. If two have the same id, the catalogue's wins. Variables stored
 * for a method that is not known, for example because the agent has not been started yet, appear as a separate method, so that they can be
 * removed.
 */
export function signInsOf(
	{ auth }: CatalogueEntry,
	offered: readonly OfferedSignIn[] = [],
	stored: Readonly<Record<string, string>> = {},
): readonly KnownSignIn[] {
	const known = auth.map(({ vars, env, id, name, description, link }): KnownSignIn => {
		const variables = vars.map(({ label, default: preset, ...variable }) => ({
			...variable,
			...omitUndefined({ label, default: preset }),
		}));
		return { id, name, kind: "variables", vars: variables, ...omitUndefined({ description, link, together: env }) };
	});
	const all = [...known, ...offered.filter(({ id }) => known.every((one) => one.id !== id))];
	const names = new Set(
		all.flatMap(({ vars = [], together = {} }: KnownSignIn) => [...vars.map(({ name }) => name), ...Object.keys(together)]),
	);
	const rest = Object.keys(stored).filter((name) => !names.has(name));
	if (rest.length === 0) return all;
	const vars = rest.map((name) => ({ name, secret: true, optional: true }));
	return [...all, { id: "stored", name: "Stored variables", kind: "variables", vars }];
}

/** A sign-in method as it is shown: which variables are stored, but never their values. */
export function shownSignIn(agentId: string, way: KnownSignIn, stored: Readonly<Record<string, string>>): SignInMethod {
	const { id, kind, name, description, link, vars = [] } = way;
	const variables = vars.map((one) => ({ ...one, isSet: Object.hasOwn(stored, one.name) }));
	return {
		methodId: id,
		kind,
		name,
		...omitUndefined({ description, link }),
		...(kind === "variables" && { variables }),
		...(kind === "terminal" && { command: loginCommand(agentId, id) }),
	};
}

export function loginCommand(agentId: string, methodId: string): string {
	return `npm run -s xworkmate -- agents login ${agentId} --method ${/^[\w.:@/-]+$/.test(methodId) ? methodId : `'${methodId}'`}`;
}

const LINE = /[\0\r\n]/;

/**
 * The variables to store. Those that are already stored may be omitted.
 * @throws ContractError INVALID_PARAMS, which never contains the values
 */
export function checkedVariables(
	{ vars = [], together = {} }: KnownSignIn,
	given: Readonly<Record<string, string | null>>,
	stored: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> {
	const known = new Set(vars.map(({ name }) => name));
	if (!Object.keys(given).every((name) => known.has(name)))
		throw refusal("The request contains a variable that this sign-in method doesn't use.", `Send only ${[...known].join(", ")}.`);
	const trimmed = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value === null ? null : value.trim()]));
	for (const { name, label } of vars) {
		const value = trimmed[name];
		if (typeof value === "string" && (value === "" || LINE.test(value)))
			throw refusal(`${label ?? name} must be one line, and can't be empty.`, "Copy the value again, and paste it once.");
	}
	const isTakenAway = Object.keys(trimmed).length > 0 && Object.values(trimmed).every((value) => value === null);
	// Removing a key signs the user out, so the variables that were set with it are removed too.
	if (isTakenAway) return { ...trimmed, ...Object.fromEntries(Object.keys(together).map((name) => [name, null])) };
	const isThere = (name: string) => Object.hasOwn(trimmed, name) || Object.hasOwn(stored, name);
	const presets = vars.flatMap((one) => (one.default === undefined || isThere(one.name) ? [] : [[one.name, one.default] as const]));
	const lacking = vars.find(
		({ name, optional, default: preset }) =>
			!optional && (trimmed[name] ?? (Object.hasOwn(trimmed, name) ? null : (stored[name] ?? preset))) == null,
	);
	if (lacking !== undefined) {
		const field = lacking.label ?? lacking.name;
		throw refusal(`"${field}" is missing.`, `Fill in "${field}".`);
	}
	return { ...Object.fromEntries(presets), ...trimmed, ...together };
}

function refusal(detail: string, fix: string): ContractError {
	return new ContractError("INVALID_PARAMS", { detail, fix });
}
