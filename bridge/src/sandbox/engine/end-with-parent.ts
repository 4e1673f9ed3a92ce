const PARENT_CHECK_MS = 1_000;

const parent = process.ppid;

/** Returns an interrupt handler for the engine. The handler ends this process when its parent is gone, because nothing else would. */
export function endWithParent(): () => boolean {
	let next = performance.now() + PARENT_CHECK_MS;
	return () => {
		const now = performance.now();
		if (now < next) return false;
		next = now + PARENT_CHECK_MS;
		if (process.ppid !== parent) process.exit(0);
		return false;
	};
}
