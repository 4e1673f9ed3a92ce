import { z } from "zod";
import { ProviderId } from "../ids/ids.ts";

/** A version as npm and most other registries write it. It is also the name of a folder. */
export const AgentVersion = z
	.string()
	.max(64)
	.regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,40})?$/, "must be a version such as 1.2.3");

// Zod's record silently drops a member named __proto__.
const VARIABLE = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/**
 * Compared without regard to case: variables that decide which programs or code are loaded by loaders, shells, interpreters, npm and git,
 * and those of XWorkmate and OpenClaw.
 */
const WITHHELD = [
	/^(?:PATH|PATHEXT|COMSPEC|HOME|LD_.*|DYLD_.*|GCONV_PATH)$/i,
	/^(?:SHELL|IFS|ENV|BASH_ENV|BASH_FUNC_.*|PROMPT_COMMAND|PS4|ZDOTDIR|EDITOR|VISUAL|PAGER|BROWSER)$/i,
	/^(?:NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|PERL5LIB|PERL5OPT|RUBYLIB|RUBYOPT)$/i,
	/^(?:JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|NPM_CONFIG_.*|SSH_ASKPASS)$/i,
	/^GIT_(?:SSH.*|ASKPASS|EXEC_PATH|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|PROXY_COMMAND|TEMPLATE_DIR|CONFIG.*)$/i,
	/^(?:XWORKMATE_.*|OPENCLAW_.*)$/i,
];

/**
 * The name of a variable that an agent may be given for signing in. Variables that decide which program or code runs, and those of
 * XWorkmate and OpenClaw, are refused.
 */
export const AgentVariableName = z
	.string()
	.regex(VARIABLE, "must be the name of a variable")
	.refine(
		(name) => !WITHHELD.some((names) => names.test(name)),
		"must not be a variable that decides which program or code runs, or one of XWorkmate's or OpenClaw's own",
	);

/** One variable that a sign-in method needs. */
export const AgentVariable = z.object({
	name: AgentVariableName,
	label: z.string().max(200).optional(),
	/** True: hidden while it is typed. */
	secret: z.boolean().default(true),
	optional: z.boolean().default(false),
	/** The value that the variable has if the user sets none. It is shown, even if the variable is secret. */
	default: z
		.string()
		.min(1)
		.max(200)
		.regex(/^[^\0\r\n]*$/, "must be one line")
		.optional(),
});
export type AgentVariable = z.infer<typeof AgentVariable>;

// An argument or variable of a process cannot contain a NUL.
const noNul = (maxLength: number) =>
	z
		.string()
		.max(maxLength)
		.regex(/^[^\0]*$/, "must not contain a NUL character");
const args = z.array(noNul(2_000)).max(100).optional();
const env = z.record(AgentVariableName, noNul(10_000)).optional();

/**
 * A command that the user copies into a terminal. A line break would run its first part at once, and a hidden character could conceal the
 * rest.
 */
const shownCommand = z
	.string()
	.min(1)
	.max(300)
	.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u, "must be one line without hidden characters");

// Both values are shown inside double quotes in a command.
const QUOTABLE = /^[^\s"$`\\!\p{Cc}\p{Cf}]+$/u;
const unquotable = "must not contain white space, hidden characters or characters that a shell interprets within quotes";

const address = () => z.url({ protocol: /^https?$/, error: "must be a web address" });

/** `<package>@<exact version>`, as npm writes it. */
const npmPackage = z
	.string()
	.max(300)
	.regex(
		/^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*@\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,40})?$/,
		"must be an npm package with an exact version, such as @example/agent@1.2.3",
	);

/** Where an agent comes from, as the ACP registry describes it. */
const CatalogueDistribution = z
	.object({
		npx: z.object({ package: npmPackage, args, env }).optional(),
		uvx: z
			.object({
				package: z
					.string()
					.max(300)
					.regex(/^[A-Za-z0-9]/, "must begin with a letter or a digit")
					.regex(QUOTABLE, unquotable),
				args,
				env,
			})
			.optional(),
		binary: z
			.record(
				z.string().max(40),
				z.looseObject({
					archive: address().max(2_000).regex(QUOTABLE, unquotable),
					cmd: z.string().min(1).max(300),
					args,
					env,
				}),
			)
			.optional(),
	})
	.refine(({ npx, uvx, binary }) => npx !== undefined || uvx !== undefined || binary !== undefined, "must name npx, uvx or binary");

/** What XWorkmate knows about an agent in addition to its registry entry. */
export const CatalogueExtras = z.strictObject({
	/** The agent's command, as a name on PATH or an absolute path, without its arguments. */
	command: shownCommand
		.max(100)
		.regex(/^(?:\/|[^/]+$)/, "must be the name of a command, or an absolute path")
		.optional(),
	/** Variables that are set unless the environment has them already. */
	defaultEnv: env,
	/** A terminal command that installs the agent. */
	install: shownCommand.optional(),
	/** A terminal command that signs in to the agent. */
	login: shownCommand.optional(),
	/** True: the lifecycle scripts of the agent's own package have to run. */
	scripts: z.boolean().optional(),
	/** The package's integrity as the registry gives it: `sha512-...`. */
	integrity: z
		.string()
		.regex(/^sha512-[A-Za-z0-9+/]{86}==$/, "must be sha512- followed by a hash in base64")
		.optional(),
	/** The approximate size on disk. */
	bytes: z.int().min(1).optional(),
	/** Ways to sign in that the agent itself doesn't offer. */
	auth: z
		.array(
			z.strictObject({
				id: z
					.string()
					.max(100)
					.regex(/^[\w.:@/ -]+$/, "must contain only letters, digits, spaces and . : @ / _ -"),
				name: z.string().min(1).max(200),
				description: z.string().max(1_000).optional(),
				link: address().max(500).optional(),
				vars: z.array(AgentVariable).min(1).max(20),
				/** Variables that are set along with those above. */
				env,
			}),
		)
		.max(10)
		.optional(),
	/** True: a conversation can be resumed in a new process of the agent. */
	resumes: z.boolean().optional(),
	/** Why session/load is not used, although the agent offers it. */
	loadDefect: z.string().max(300).optional(),
});
export type CatalogueExtras = z.infer<typeof CatalogueExtras>;

/** One agent of the catalogue, in the ACP registry's form. Unknown members are kept, except those within `distribution`. */
export const CatalogueAgent = z.looseObject({
	id: ProviderId,
	name: z.string().min(1).max(100),
	version: AgentVersion,
	description: z.string().max(1_000).default(""),
	distribution: CatalogueDistribution,
	_meta: z.looseObject({ xworkmate: CatalogueExtras.optional() }).optional(),
});
export type CatalogueAgent = z.infer<typeof CatalogueAgent>;

/** The name of the file in the home that replaces the built-in catalogue. */
export const catalogueFile = "agents.json";

/** The form of `<home>/agents.json`, and of the catalogue that comes with XWorkmate. */
export const AgentCatalogue = z.looseObject({ agents: z.array(CatalogueAgent).max(200) });
export type AgentCatalogue = z.infer<typeof AgentCatalogue>;
