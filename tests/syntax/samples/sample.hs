{-# LANGUAGE OverloadedStrings #-}
-- | Parses settings.
module Settings.Parser (parse, Settings (..)) where

import qualified Data.Map.Strict as Map
import Data.Text (Text, pack)

-- | All settings.
data Settings = Settings
  { name :: Text
  , size :: Int
  }
  deriving (Show)

data Color = Red | Green

newtype Parser a = Parser { runParser :: Text -> Maybe a }

type Table = Map.Map Text Int

class Pretty a where
  pretty :: a -> Text
  pretty _ = "x"

instance Pretty Settings where
  pretty s = name s

-- | Runs it.
parse :: Text -> Maybe Settings
parse "" = Nothing
parse t = go t
  where
    go x = Just (Settings x 1)

limit :: Int
limit = 10

(<+>) :: Int -> Int -> Int
a <+> b = a + b
