import { keepPrograms } from "./kept-programs.ts";

/**
 * Lets end-to-end tests start bundled programs instead of the sources, which takes half the processor time.
 *
 * With `XWORKMATE_TEST_PROGRAMS=sources` they start the sources, as mutants do: a patch would not be in the bundle.
 */
export default async function useBundledPrograms(): Promise<void> {
	if (process.env.XWORKMATE_TEST_PROGRAMS === "sources") return;
	process.env.XWORKMATE_TEST_PACKAGE ??= (await keepPrograms()).folder;
}
