/**
 * A name that servers accept. A name that a model made up might not be one, and every later request of the conversation would be refused.
 */
export function sendableName(name: string): string {
	return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}
