import { AppError } from "../../errors/app-error.ts";

/** What a service runs. */
export interface ServiceProgram {
	/** The program with its arguments, by absolute path. */
	readonly command: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
}

/** Variables whose values only the user may read. They must not be written to a service's file. */
const SECRET = /TOKEN|KEY|SECRET|PASSWORD/;
/** The value of this variable is only the path of a key file. Without it, a bridge with a certificate does not start. */
const NOT_SECRET = "XWORKMATE_TLS_KEY";
/** The other environment variables that can supply an account for the assistant. */
const ACCOUNTS = ["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN", "OPENAI_API_KEY", "OPENAI_BASE_URL"];
const CONTROL = /\p{Cc}/u;

/**
 * What a service has to run so that it behaves as the command does here: with the same PATH, on which the agents are found, and the same
 * settings except the secret ones, whose names are in `left`. `accounts` names the variables of accounts that are set here; the service
 * does not get them either.
 * @throws AppError SERVICE_REFUSED for a value that a service's file cannot contain
 */
export function serviceProgram(
	command: readonly string[],
	env: Readonly<Record<string, string | undefined>>,
): { readonly program: ServiceProgram; readonly left: readonly string[]; readonly accounts: readonly string[] } {
	const settings = Object.entries(env).flatMap(([name, value]) =>
		value !== undefined && (name === "PATH" || name.startsWith("XWORKMATE_")) ? [[name, value] as const] : [],
	);
	const isSecret = (name: string) => SECRET.test(name) && name !== NOT_SECRET;
	const kept = settings.filter(([name]) => !isSecret(name));
	const broken = [...kept, ...command.map((word) => ["the program's path", word] as const)].find(([, value]) => CONTROL.test(value));
	if (broken !== undefined)
		throw new AppError(
			"SERVICE_REFUSED",
			`A service can't use ${broken[0]}, because it contains a line break or another control character.`,
			"Change that value first.",
		);
	const left = settings.flatMap(([name]) => (isSecret(name) ? [name] : []));
	const accounts = ACCOUNTS.filter((name) => env[name]);
	return { program: { command, environment: Object.fromEntries(kept) }, left, accounts };
}
