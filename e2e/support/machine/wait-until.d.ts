/**
 * Waits for something outside this process that announces itself to no one (a file, a process, a log
 * line). Asks every 20 ms; fails with the name of what was missing.
 */
export declare function waitUntil<T>(what: string, boundMs: number, ask: () => Promise<T | undefined> | T | undefined): Promise<T>;
/** Bounds a promise, so that a hang fails by name. */
export declare function within<T>(what: string, boundMs: number, promise: Promise<T>): Promise<T>;
