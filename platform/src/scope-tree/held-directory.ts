import { closeSync, lstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { READ_DIRECTORY } from "../files/open-flags.ts";
import { isScopeError } from "./scope-error.ts";

/** A directory that is held open. */
export interface HeldDirectory extends Disposable {
	/** A path to the directory while it is held open. On Linux it stays valid even if the directory's own path later points elsewhere. */
	readonly path: string;
	/** False once the directory is no longer where it was when it was opened. */
	isInPlace(): boolean;
}

/** For Linux: the kernel reports where an open directory is, in one call and without following anything. */
class DescriptorDirectory implements HeldDirectory {
	readonly path: string;
	readonly #descriptor: number;
	readonly #real: string;

	constructor(descriptor: number, real: string) {
		this.path = `/proc/self/fd/${descriptor}`;
		this.#descriptor = descriptor;
		this.#real = real;
	}

	isInPlace(): boolean {
		return readlinkSync(this.path) === this.#real;
	}

	[Symbol.dispose](): void {
		closeSync(this.#descriptor);
	}
}

class PathDirectory implements HeldDirectory {
	readonly path: string;

	constructor(real: string) {
		this.path = real;
	}

	isInPlace(): boolean {
		const leadsTo = ifReadable(() => realpathSync.native(this.path));
		return leadsTo === this.path && lstatSync(this.path).isDirectory();
	}

	[Symbol.dispose](): void {}
}

/**
 * Opens a directory if `path` leads to the one at `real`, a path without links. Returns undefined if it does not, or if the directory is
 * missing or cannot be read.
 */
export function holdByDescriptor(path: string, real: string): HeldDirectory | undefined {
	const descriptor = ifReadable(() => openSync(path, READ_DIRECTORY));
	return descriptor === undefined ? undefined : ifInPlace(new DescriptorDirectory(descriptor, real));
}

/** For systems without paths to descriptors: like `holdByDescriptor`, but examines the path again for each answer. */
export function holdByPath(path: string, real: string): HeldDirectory | undefined {
	const leadsTo = ifReadable(() => realpathSync.native(path));
	return leadsTo === real ? ifInPlace(new PathDirectory(real)) : undefined;
}

function ifInPlace(held: HeldDirectory): HeldDirectory | undefined {
	if (held.isInPlace()) return held;
	held[Symbol.dispose]();
	return undefined;
}

function ifReadable<T>(step: () => T): T | undefined {
	try {
		return step();
	} catch (error) {
		if (isScopeError(error)) return undefined;
		throw error;
	}
}
