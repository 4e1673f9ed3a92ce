/** Bounds on the use of git. Each name ends with what is bounded: milliseconds, bytes or files. */
export interface GitBounds {
	/** Time limit of a call that reads or writes a few things. */
	readonly callMs: number;
	/** Time limit of a call that reads a whole work tree. */
	readonly treeMs: number;
	/** Time limit of a call that writes a whole work tree. */
	readonly checkoutMs: number;
	/** How much one call may write to its standard output. */
	readonly outputBytes: number;
	/** A larger file is only listed, and its content is not read. */
	readonly fileBytes: number;
	/** How many bytes of changed files may be read when a work tree is captured. */
	readonly lookBytes: number;
	/** How many files may differ from the index when a work tree is captured. */
	readonly lookFiles: number;
	/** How many changed files a list contains. */
	readonly listFiles: number;
	/** How much of one file's diff is shown. */
	readonly diffBytes: number;
}

/** Settings for running git. */
export interface GitSettings extends GitBounds {
	/** The `PATH` that is searched for the program. */
	readonly searchPath: string | undefined;
	/** The user's `HOME` and `XDG_CONFIG_HOME`, where their git has its configuration. */
	readonly userHome: string | undefined;
	readonly userConfig: string | undefined;
}

export const gitBounds: GitBounds = {
	callMs: 15_000,
	treeMs: 30_000,
	checkoutMs: 300_000,
	outputBytes: 64 * 2 ** 20,
	fileBytes: 20_000_000,
	lookBytes: 500_000_000,
	lookFiles: 10_000,
	listFiles: 2_000,
	diffBytes: 256_000,
};
