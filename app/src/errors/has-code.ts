/**
 * Whether an error has this code. The class is not checked, because an error from the app in another process has the code but not the
 * class.
 */
export function hasCode(error: unknown, code: string): boolean {
	return error instanceof Error && "code" in error && error.code === code;
}
