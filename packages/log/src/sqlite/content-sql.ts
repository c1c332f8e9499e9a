const COLUMNS = "id, hash, size, form, piece, base, height, dropped";
/** What is asked of, and done to, the tables `content` and `piece`. */
export const CONTENT_SQL = {
  byHash: `SELECT ${COLUMNS} FROM content WHERE hash = ?`,
  byId: `SELECT ${COLUMNS} FROM content WHERE id = ?`,
  list: "SELECT lower(hex(hash)) AS hash, size FROM content WHERE hash > ? AND dropped IS NULL ORDER BY hash LIMIT 1000",
  needing: `SELECT ${COLUMNS} FROM content WHERE base = ?`,
  insert: "INSERT INTO content (hash, size, form, piece, height) VALUES (?, ?, 0, ?, 0)",
  insertPruned: "INSERT OR IGNORE INTO content (hash, size, form, height, dropped) VALUES (?, ?, 0, 0, ?)",
  bringBack: "UPDATE content SET size = ?, form = 0, piece = ?, base = NULL, dropped = NULL WHERE id = ?",
  drop: "UPDATE content SET form = 0, piece = NULL, base = NULL, dropped = ? WHERE id = ?",
  keep: "UPDATE content SET form = ?, piece = ?, base = ? WHERE id = ?",
  raise: "UPDATE content SET height = max(height, ?) WHERE id = ?",
  piece: "SELECT bytes FROM piece WHERE id = ?",
  length: "SELECT length(bytes) AS length FROM piece WHERE id = ?",
  addPiece: "INSERT INTO piece (bytes) VALUES (?)",
  removePiece: "DELETE FROM piece WHERE id = ?",
} as const;
