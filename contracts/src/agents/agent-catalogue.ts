import { z } from "zod";
import { ProviderId } from "../ids/ids.ts";

/** A version as npm and most other registries write it. It is also the name of a folder. */
export const AgentVersion = z
	.string()
	.max(64)
	.regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,40})?$/, "must be a version such as 1.2.3");

// A record drops a member of the name __proto__ without a word.
const VARIABLE = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/** Names without regard to case: what loaders, shells, interpreters, npm and git read to find programs or code, and XWorkmate's own. */
const WITHHELD = [
	/^(?:PATH|PATHEXT|COMSPEC|HOME|LD_.*|DYLD_.*|GCONV_PATH)$/i,
	/^(?:SHELL|IFS|ENV|BASH_ENV|BASH_FUNC_.*|PROMPT_COMMAND|PS4|ZDOTDIR|EDITOR|VISUAL|PAGER|BROWSER)$/i,
	/^(?:NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|PERL5LIB|PERL5OPT|RUBYLIB|RUBYOPT)$/i,
	/^(?:JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|NPM_CONFIG_.*|SSH_ASKPASS)$/i,
	/^GIT_(?:SSH.*|ASKPASS|EXEC_PATH|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|PROXY_COMMAND|TEMPLATE_DIR|CONFIG.*)$/i,
	/^(?:XWORKMATE_.*|OPENCLAW_.*)$/i,
];

/** A variable that an agent may be given to sign in: none that decides which program runs, and none of XWorkmate's own. */
export const AgentVariableName = z
	.string()
	.regex(VARIABLE, "must be the name of a variable")
	.refine((name) => !WITHHELD.some((names) => names.test(name)), "must not be a variable that decides which program runs");

/** One variable of a way to sign in. */
export const AgentVariable = z.object({
	name: AgentVariableName,
	label: z.string().max(200).optional(),
	/** Is not shown while it is typed. */
	secret: z.boolean().default(true),
	optional: z.boolean().default(false),
});
export type AgentVariable = z.infer<typeof AgentVariable>;

// No process can be given a NUL.
const noNul = (maxLength: number) =>
	z
		.string()
		.max(maxLength)
		.regex(/^[^\0]*$/, "must not contain NUL");
const args = z.array(noNul(2_000)).max(100).optional();
const env = z.record(AgentVariableName, noNul(10_000)).optional();

/** A command that is shown, to be pasted into a terminal: a line break would run its first part at once, and a hidden character hides the rest. */
const shownCommand = z
	.string()
	.min(1)
	.max(300)
	.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u, "must be one line without hidden characters");

// Both are shown inside of a command, in double quotes.
const QUOTABLE = /^[^\s"$`\\!\p{Cc}\p{Cf}]+$/u;
const unquotable = "must not contain white space, hidden characters or what a shell reads within quotes";

const address = () => z.url({ protocol: /^https?$/, error: "must be an address of the web" });

/** `<package>@<exact version>`, as npm has it. */
const npmPackage = z
	.string()
	.max(300)
	.regex(
		/^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*@\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,40})?$/,
		"must be a package of npm with an exact version, such as @example/agent@1.2.3",
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

/** What XWorkmate knows of an agent in addition to the registry. */
export const CatalogueExtras = z.strictObject({
	/** Its command on PATH, and how the agent is started with it. */
	command: shownCommand
		.max(100)
		.regex(/^(?:\/|[^/]+$)/, "must be the name of a command, or an absolute path")
		.optional(),
	/** Set unless the environment has the variable already. */
	defaultEnv: env,
	/** A terminal command that installs it. */
	install: shownCommand.optional(),
	/** A terminal command that signs in. */
	login: shownCommand.optional(),
	/** Its own package's lifecycle scripts have to run. */
	scripts: z.boolean().optional(),
	/** Of the package, as the registry has it: `sha512-...`. */
	integrity: z
		.string()
		.regex(/^sha512-[A-Za-z0-9+/]{86}==$/, "must be sha512- and a hash in base64")
		.optional(),
	/** Roughly, on the disk. */
	bytes: z.int().min(1).optional(),
	/** Ways to sign in that the agent itself doesn't offer. */
	auth: z
		.array(
			z.strictObject({
				id: z
					.string()
					.max(100)
					.regex(/^[\w.:@/ -]+$/, "must be letters, digits, spaces or any of . : @ / _ -"),
				name: z.string().min(1).max(200),
				description: z.string().max(1_000).optional(),
				link: address().max(500).optional(),
				vars: z.array(AgentVariable).min(1).max(20),
				/** Set together with them. */
				env,
			}),
		)
		.max(10)
		.optional(),
	/** Whether a conversation outlives the agent's process. */
	resumes: z.boolean().optional(),
	/** Why session/load is not used although the agent offers it. */
	loadDefect: z.string().max(300).optional(),
});
export type CatalogueExtras = z.infer<typeof CatalogueExtras>;

/** One agent of the catalogue, in the ACP registry's form. Members that are not known are left alone. */
export const CatalogueAgent = z.looseObject({
	id: ProviderId,
	name: z.string().min(1).max(100),
	version: AgentVersion,
	description: z.string().max(1_000).default(""),
	distribution: CatalogueDistribution,
	_meta: z.looseObject({ xworkmate: CatalogueExtras.optional() }).optional(),
});
export type CatalogueAgent = z.infer<typeof CatalogueAgent>;

/** The name of the file in the home that replaces the catalogue. */
export const catalogueFile = "agents.json";

/** `<home>/agents.json`, and the catalogue that comes with XWorkmate. */
export const AgentCatalogue = z.looseObject({ agents: z.array(CatalogueAgent).max(200) });
export type AgentCatalogue = z.infer<typeof AgentCatalogue>;
