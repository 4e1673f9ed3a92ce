/** A name that a model made up may be one that no server takes back; the conversation would then be refused forever. */
export function sendableName(name: string): string {
	return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}
