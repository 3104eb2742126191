PRAGMA application_id = 1752659823;
PRAGMA user_version = 3;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE account (hash TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO account VALUES('e3b0c44298fc1c149afbf4c8996fb924');
CREATE TABLE score (
  account TEXT NOT NULL REFERENCES account,
  date TEXT NOT NULL,
  id INTEGER NOT NULL,
  body TEXT NOT NULL, mark TEXT NOT NULL DEFAULT 'X',
  PRIMARY KEY (account, date, id),
  UNIQUE (account, id)
) WITHOUT ROWID;
INSERT INTO score VALUES('e3b0c44298fc1c149afbf4c8996fb924','2022-03-09',263,'{"id":263,"date":"2022-03-09","word":"month","tries":["stair","tuned","monty","month"]}','4');
INSERT INTO score VALUES('e3b0c44298fc1c149afbf4c8996fb924','2022-03-10',264,'{"id":264,"date":"2022-03-10","word":"lapse","tries":["stair","peony","lapse"]}','3');
INSERT INTO score VALUES('e3b0c44298fc1c149afbf4c8996fb924','2022-03-11',265,'{"id":265,"date":"2022-03-11","word":"watch","tries":["stair","patch","watch"]}','3');
CREATE TABLE results (
  account TEXT NOT NULL,
  part INTEGER NOT NULL,
  marks TEXT NOT NULL,
  PRIMARY KEY (account, part)
) WITHOUT ROWID;
INSERT INTO results VALUES('e3b0c44298fc1c149afbf4c8996fb924',0,'                                                                                                                                                                                                                                                                       433                                                                                                                                                                                                                                                      ');
CREATE TRIGGER score_added AFTER INSERT ON score BEGIN
  INSERT OR IGNORE INTO results VALUES (new.account, new.id >> 9, printf('%512s', ''));
  UPDATE results
    SET marks = substr(marks, 1, new.id & 511) || new.mark || substr(marks, (new.id & 511) + 2)
    WHERE account = new.account AND part = new.id >> 9;
END;
CREATE TRIGGER score_deleted AFTER DELETE ON score BEGIN
  UPDATE results
    SET marks = substr(marks, 1, old.id & 511) || ' ' || substr(marks, (old.id & 511) + 2)
    WHERE account = old.account AND part = old.id >> 9;
END;
COMMIT;
