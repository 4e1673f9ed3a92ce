import type { ModelProvider } from "@xworkmate/contracts";
import type { ModelCredential } from "../ports/models/model-client.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** A credential from the environment, and the variable that holds it. */
export interface EnvironmentCredential extends ModelCredential {
	readonly variable: string;
}

/** The value of a variable, without white space around it, such as a file's final line break. Undefined if it is not set or is blank. */
export function variableValue(environment: Variables, name: string): string | undefined {
	const value = environment[name]?.trim();
	return value === "" ? undefined : value;
}

/** The credential in the variables that other programs use for the same provider. */
export function environmentCredential(environment: Variables, provider: ModelProvider): EnvironmentCredential | undefined {
	const named = (variable: string, type: "api_key" | "token") => {
		const secret = variableValue(environment, variable);
		return secret === undefined ? undefined : { type, secret, variable };
	};
	if (provider === "anthropic") return named("ANTHROPIC_OAUTH_TOKEN", "token") ?? named("ANTHROPIC_API_KEY", "api_key");
	const key = named("OPENAI_API_KEY", "api_key");
	if (key !== undefined) return key;
	const server = variableValue(environment, "OPENAI_BASE_URL");
	return server === undefined ? undefined : { type: "none", secret: "", variable: "OPENAI_BASE_URL" };
}
