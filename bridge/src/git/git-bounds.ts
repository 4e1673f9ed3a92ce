/** Milliseconds, bytes and counts, as named. */
export interface GitBounds {
	/** For one call that reads or writes a few things. */
	readonly callMs: number;
	/** For one that looks through a whole work tree. */
	readonly treeMs: number;
	/** For one that writes a whole work tree. */
	readonly checkoutMs: number;
	/** What one call may write to its standard output. */
	readonly outputBytes: number;
	/** A larger file is named, and its content is not read. */
	readonly fileBytes: number;
	/** What one look at a work tree may read of changed files. */
	readonly lookBytes: number;
	/** How many files may differ from what git knew before. */
	readonly lookFiles: number;
	/** How many changed files a list has. */
	readonly listFiles: number;
	/** How much of one file's diff is shown. */
	readonly diffBytes: number;
}

/** How git is run. */
export interface GitSettings extends GitBounds {
	/** Where the program is looked for: `PATH`. */
	readonly searchPath: string | undefined;
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
