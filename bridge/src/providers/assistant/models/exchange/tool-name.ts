/**
 * A name that servers accept. If a model made up a name that they don't, every later request in the conversation would be refused.
 */
export function sendableName(name: string): string {
	return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}
